package dev.flotilla.testkit.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The real kubectl, as an operator runs it.
 *
 * @param folder for its discovery cache
 */
record Kubectl(Path program, Path kubeconfig, Path folder) {
    private static final long TIMEOUT_SECONDS = 60;

    static Kubectl of(Path kubeconfig, Path folder) {
        return new Kubectl(KubeBinaries.find().orElseThrow().kubectl(), kubeconfig, folder);
    }

    /** Runs a command, which must succeed. Returns its output. */
    String run(String... arguments) throws Exception {
        Process process = start(arguments);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return out;
    }

    /** Starts a command; its output includes errors. */
    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(), "--kubeconfig=" + kubeconfig, "--request-timeout=" + TIMEOUT_SECONDS + "s"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        return builder.start();
    }
}
