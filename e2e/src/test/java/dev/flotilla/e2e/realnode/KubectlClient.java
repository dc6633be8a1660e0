package dev.flotilla.e2e.realnode;

import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The real kubectl with an administrator's kubeconfig.
 *
 * @param folder for its discovery cache
 */
public record KubectlClient(Path program, Path kubeconfig, Path folder) {
    static KubectlClient of(Path kubeconfig, Path folder) {
        return new KubectlClient(
                KubeBinaries.find()
                        .orElseThrow(() -> new IllegalStateException(KubeBinaries.MISSING))
                        .kubectl(),
                kubeconfig,
                folder);
    }

    /** Runs a command, which must succeed. Returns its output. */
    public String run(String... arguments) {
        return runWithInput("", arguments);
    }

    /** Applies a manifest. */
    public void apply(String manifest) {
        runWithInput(manifest, "apply", "--server-side", "--force-conflicts", "-f", "-");
    }

    /** Applies the status of a manifest. */
    void applyStatus(String manifest) {
        runWithInput(
                manifest,
                "apply",
                "--server-side",
                "--force-conflicts",
                "--subresource=status",
                "--field-manager=cluster-api",
                "-f",
                "-");
    }

    /** Runs a command, which must fail. Returns its output. */
    public String runRejected(String... arguments) {
        return failed(runToEnd("", arguments), arguments);
    }

    /** Applies a manifest, which must fail. Returns why it was rejected. */
    String applyRejected(String manifest) {
        String[] apply = {"apply", "--server-side", "-f", "-"};
        return failed(runToEnd(manifest, apply), apply);
    }

    private static String failed(Result result, String... arguments) {
        if (result.exitCode() == 0) {
            throw new AssertionError(
                    "kubectl " + String.join(" ", arguments) + " was not rejected: " + result.output());
        }
        return result.output();
    }

    private String runWithInput(String input, String... arguments) {
        Result result = runToEnd(input, arguments);
        if (result.exitCode() != 0) {
            throw new IllegalStateException("kubectl " + String.join(" ", arguments) + " failed with "
                    + result.exitCode() + ": " + result.output());
        }
        return result.output().strip();
    }

    private record Result(int exitCode, String output) {}

    private Result runToEnd(String input, String... arguments) {
        try {
            Process process = start(arguments);
            try (Writer stdin = process.outputWriter()) {
                stdin.write(input);
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("kubectl " + String.join(" ", arguments), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Starts a command; its output includes errors. */
    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--kubeconfig=" + kubeconfig));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        return builder.start();
    }
}
