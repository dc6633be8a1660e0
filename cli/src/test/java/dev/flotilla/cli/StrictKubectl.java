package dev.flotilla.cli;

import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real kubectl, for which an unknown field and a warning of the API server are errors. */
record StrictKubectl(KubeCluster cluster, Path home) {
    /** Makes warnings errors, for example of a deprecated version or of a pod with privileges. */
    private static final List<String> STRICT = List.of("--validate=strict", "--warnings-as-errors");

    /** A file with the kinds of others that the manifests and the charts use, with the fields that they use. */
    static final String FOREIGN_KINDS = CliResult.path("cli/src/test/resources/dev/flotilla/cli/foreign-kinds.yaml");

    /** Waits until the API server serves all kinds that were applied. */
    static final List<String> AWAIT_KINDS =
            List.of("wait", "--for=condition=Established", "--timeout=60s", "customresourcedefinition", "--all");

    CliResult run(String... arguments) throws IOException, InterruptedException {
        List<String> strict = new ArrayList<>(List.of(arguments));
        strict.addAll(STRICT);
        return runAsIs(strict);
    }

    /** The same for commands that know no validation. */
    CliResult runAsIs(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(KubeBinaries.find().orElseThrow().kubectl().toString());
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(CliResult.ROOT.toFile()).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", cluster.kubeconfig().toString());
        builder.environment().put("HOME", home.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CliResult(process.waitFor(), said, "");
    }
}
