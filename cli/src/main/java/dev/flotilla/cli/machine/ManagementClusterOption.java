package dev.flotilla.cli.machine;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.nodeworker.cleanup.ManualCleanup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that selects the management cluster. */
final class ManagementClusterOption implements CommandErrorReporter {
    static final String VARIABLE = "FLOTILLA_KUBERNETES_KUBECONFIG_FILE";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the site's management cluster. Default: " + VARIABLE + ", or the one that"
                    + " kubectl would use.")
    private @Nullable Path kubeconfig;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec calledCommand;

    /** Runs a task with the cluster, or prints what is wrong with the kubeconfig. */
    int run(Terminal terminal, ToIntFunction<ManualCleanup> task) {
        String stated = terminal.environment().get(VARIABLE);
        Path file = kubeconfig != null || stated == null ? kubeconfig : Path.of(stated);
        try (ManualCleanup manualCleanup = ManualCleanup.open(file)) {
            return task.applyAsInt(manualCleanup);
        } catch (IOException unfit) {
            return reportUsageErrors(terminal, List.of(String.valueOf(unfit.getMessage())));
        }
    }

    /** Prints that the cluster cannot be reached. */
    @Override
    public int reportUnreachable(Terminal terminal, String why) {
        return CommandErrorReporter.super.reportUnreachable(
                terminal,
                why
                        + "; check with `kubectl get machines -A` and the same kubeconfig whether the cluster answers"
                        + " and you have the" + " rights");
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }
}
