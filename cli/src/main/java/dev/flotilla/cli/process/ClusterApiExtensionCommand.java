package dev.flotilla.cli.process;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.clusterapi.Main;
import dev.flotilla.clusterapi.config.ClusterApiExtensionConfig;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code flotilla cluster-api-extension}. It needs no Kafka. */
@Command(
        name = "cluster-api-extension",
        mixinStandardHelpOptions = true,
        description = {
            "Serves Cluster API's hooks for in-place updates: Discovery, CanUpdateMachine, CanUpdateMachineSet and"
                    + " UpdateMachine.",
            "It decides nothing: an update becomes an UpgradeTask, and its status is the answer. Several may run at"
                    + " once. It needs no Kafka.",
            "Prints one line when it is ready, logs to stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: options override environment variables such as FLOTILLA_SERVER_LISTEN, which override the"
                    + " --config file."
        })
public final class ClusterApiExtensionCommand implements Callable<Integer>, CommandErrorReporter {
    private final Terminal terminal;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "The server's certificate with its chain, PEM. Cluster API calls hooks with TLS only.")
    private @Nullable String cert;

    @Option(names = "--key", paramLabel = "FILE", description = "The certificate's key, PEM (PKCS 8).")
    private @Nullable String key;

    @Mixin
    private ManagementProcessOptions process = new ManagementProcessOptions();

    @Spec
    private @Nullable CommandSpec calledCommand;

    private ClusterApiExtensionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new ClusterApiExtensionCommand(terminal));
        command.addSubcommand("uninstall", ExtensionUninstallCommand.of(terminal));
        HelpExamples.set(
                command,
                "flotilla cluster-api-extension --kubeconfig management.kubeconfig --listen 127.0.0.1:9443 --cert"
                        + " tls.crt --key tls.key",
                "flotilla cluster-api-extension --config cluster-api-extension.yaml");
        return command;
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }

    @Override
    public Integer call() {
        List<ServiceLauncher.OptionAsVariable> options = process.toVariables();
        ServiceLauncher.OptionAsVariable.add(options, "--cert", "FLOTILLA_SERVER_TLS_CERT_FILE", cert);
        ServiceLauncher.OptionAsVariable.add(options, "--key", "FLOTILLA_SERVER_TLS_KEY_FILE", key);
        return new KafkaFreeServiceLauncher<>(
                        "cluster-api-extension",
                        ClusterApiExtensionConfig.reader(),
                        ClusterApiExtensionConfig::server,
                        ClusterApiExtensionConfig::log,
                        Main::start)
                .run(terminal, this, process.config(), options);
    }
}
