package dev.flotilla.cli.process;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.clusterapi.registration.ExtensionUninstaller;
import dev.flotilla.clusterapi.registration.ExtensionUninstaller.UninstallResult;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.UserKubeconfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code flotilla cluster-api-extension uninstall}. */
@Command(
        name = "uninstall",
        mixinStandardHelpOptions = true,
        description = {
            "Removes the Cluster API extension from a management cluster: its ExtensionConfigs first, then its"
                    + " Deployment.",
            "Removes nothing while Cluster API updates a Machine in place, because nobody could end that update; --wait"
                    + " waits for it.",
            "Exit codes: 0 removed, 1 Machines are being updated or a request failed, 2 wrong usage."
        })
final class ExtensionUninstallCommand implements Callable<Integer>, CommandErrorReporter {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final int MAX_NAMED = 5;

    private final Terminal terminal;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            required = true,
            description = "Kubeconfig of the management cluster.")
    private Path kubeconfig = Path.of("");

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "flotilla",
            description = "Namespace of the Deployment. Default: ${DEFAULT-VALUE}.")
    private String namespace = "flotilla";

    @Option(names = "--wait", description = "Wait until no Machine is being updated in place.")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "How long --wait waits. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds = 3600;

    @Spec
    private @Nullable CommandSpec calledCommand;

    private ExtensionUninstallCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new ExtensionUninstallCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla cluster-api-extension uninstall --kubeconfig management.kubeconfig --wait",
                "flotilla cluster-api-extension uninstall --kubeconfig management.kubeconfig --wait --timeout 600");
        return command;
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (KubeApiClient api = UserKubeconfig.open(kubeconfig, REQUEST_TIMEOUT, 1)) {
            return uninstall(new ExtensionUninstaller(api, namespace));
        } catch (IOException e) {
            return reportUsageErrors(terminal, List.of(String.valueOf(e.getMessage())));
        }
    }

    private int uninstall(ExtensionUninstaller uninstaller) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(timeoutSeconds).toNanos();
        String shown = "";
        while (true) {
            switch (uninstaller.tryOnce()) {
                case UninstallResult.Uninstalled done -> {
                    terminal.out()
                            .println(
                                    done.removed().isEmpty()
                                            ? "Nothing is installed."
                                            : "Removed " + String.join(", ", done.removed()) + ".");
                    terminal.out().flush();
                    return ExitCode.DONE;
                }
                case UninstallResult.UninstallFailed failed -> {
                    return reportNegativeAnswer(terminal, failed.problem());
                }
                case UninstallResult.UpdatesInProgress updating -> {
                    String waiting = describe(updating.machines());
                    if (!wait) {
                        return reportNegativeAnswer(terminal, waiting + ": nothing was removed; use --wait");
                    }
                    if (System.nanoTime() - end >= 0) {
                        return reportNegativeAnswer(
                                terminal,
                                waiting + " after " + timeoutSeconds
                                        + " s: nothing was removed; their UpgradeTasks say what"
                                        + " they wait for (kubectl get ut)");
                    }
                    if (!waiting.equals(shown)) {
                        terminal.note("Waiting: " + waiting);
                        shown = waiting;
                    }
                    Thread.sleep(POLL);
                }
            }
        }
    }

    private static String describe(List<String> machines) {
        String named = machines.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return "Cluster API updates " + machines.size() + (machines.size() == 1 ? " Machine" : " Machines")
                + " in place: " + named
                + (machines.size() > MAX_NAMED ? " and " + (machines.size() - MAX_NAMED) + " more" : "");
    }
}
