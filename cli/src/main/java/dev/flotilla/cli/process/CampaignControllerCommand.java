package dev.flotilla.cli.process;

import dev.flotilla.campaigncontroller.Main;
import dev.flotilla.campaigncontroller.config.CampaignControllerConfig;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla campaign-controller}. */
@Command(
        name = "campaign-controller",
        aliases = "hub-bridge",
        mixinStandardHelpOptions = true,
        description = {
            "Keeps Campaigns, Policies and Orders of a hub cluster and the fleet's topics in Kafka in agreement, both"
                    + " ways.",
            "Their manifests are those of `flotilla campaign apply` and `flotilla policy apply`. What both sides have"
                    + " changed is shown as a conflict.",
            "Several may run: one works, the others wait for its Lease, and each answers the webhook.",
            "Prints one line when it is ready, logs to stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: options override environment variables such as FLOTILLA_SERVER_LISTEN, which override the"
                    + " --config file."
        })
public final class CampaignControllerCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "Name of this process in logs and in its Lease. Default: ${DEFAULT-VALUE}.")
    private String instance = "campaign-controller";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the hub cluster. Default: the service account of the pod.")
    private @Nullable String kubeconfig;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Namespace of the fleet's objects. Default: flotilla.")
    private @Nullable String namespace;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address that serves health, metrics and the webhook. Default: a free port of 127.0.0.1.")
    private @Nullable String listen;

    @Option(
            names = "--orchestrator",
            paramLabel = "URL",
            description = "An orchestrator, whose API counts the machines of campaigns. Default: none are counted.")
    private @Nullable String orchestrator;

    @Mixin
    private LogOptions log = new LogOptions();

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private CampaignControllerCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CampaignControllerCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla campaign-controller --bootstrap localhost:9092 --kubeconfig hub.kubeconfig --namespace fleet",
                "flotilla campaign-controller --config campaign-controller.yaml");
        return command;
    }

    @Override
    public Integer call() {
        List<ServiceLauncher.OptionAsVariable> options = new ArrayList<>();
        ServiceLauncher.OptionAsVariable.add(
                options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        ServiceLauncher.OptionAsVariable.add(options, "--namespace", "FLOTILLA_KUBERNETES_NAMESPACE", namespace);
        ServiceLauncher.OptionAsVariable.add(options, "--listen", ServiceLauncher.LISTEN, listen);
        ServiceLauncher.OptionAsVariable.add(options, "--orchestrator", "FLOTILLA_ORCHESTRATOR_URL", orchestrator);
        log.addVariables(options);
        return new ServiceLauncher<>(
                        "campaign-controller",
                        CampaignControllerConfig.reader(KafkaConnectionConfig::settingDefects),
                        CampaignControllerConfig::kafka,
                        CampaignControllerConfig::server,
                        CampaignControllerConfig::log,
                        CampaignControllerCommand::isReady,
                        Main::start)
                .run(terminal, connection, instance, options);
    }

    /** Checks the topics that it reads at the start, so that a missing one is reported at once. It may see no others. */
    private static int isReady(FleetKafkaClient kafka) {
        kafka.requireTopics(FleetTables.PARTITIONS.stream()
                .map(partition -> Topic.of(partition.table()))
                .toList());
        return ExitCode.DONE;
    }
}
