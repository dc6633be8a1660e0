package dev.flotilla.cli.machine;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.CommandErrorReporter;
import dev.flotilla.nodeworker.mend.ManualCleanup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option by which a verb is told which management cluster is meant. */
final class ManagementClusterOption implements CommandErrorReporter {
    static final String VARIABLE = "FLOTILLA_KUBERNETES_KUBECONFIG_FILE";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Of the site's management cluster. Else " + VARIABLE + ", or what kubectl would use here.")
    private @Nullable Path kubeconfig;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec verb;

    /** Opens it; tells what is wrong with the kubeconfig. */
    int run(Terminal terminal, ToIntFunction<ManualCleanup> task) {
        String stated = terminal.environment().get(VARIABLE);
        Path file = kubeconfig != null || stated == null ? kubeconfig : Path.of(stated);
        try (ManualCleanup manualCleanup = ManualCleanup.open(file)) {
            return task.applyAsInt(manualCleanup);
        } catch (IOException unfit) {
            return reportUsageErrors(terminal, List.of(String.valueOf(unfit.getMessage())));
        }
    }

    /** Tells that it cannot be asked. */
    @Override
    public int reportUnreachable(Terminal terminal, String why) {
        return CommandErrorReporter.super.reportUnreachable(
                terminal,
                why
                        + "; `kubectl get machines -A` with the same kubeconfig tells whether it can be reached, and whether you"
                        + " may");
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return verb;
    }
}
