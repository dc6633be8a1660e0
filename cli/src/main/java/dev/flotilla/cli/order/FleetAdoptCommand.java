package dev.flotilla.cli.order;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code flotilla fleet adopt}: the order's id contains the topic ids, so that it does not hold for topics that are
 * created later.
 */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Accepts fleet topics that were deleted and created again: the orchestrator reads them from the beginning.",
            "Without this order the orchestrator refuses to lead. First write the lost rows again: freezes,"
                    + " campaigns, policies."
        })
public final class FleetAdoptCommand implements Callable<Integer> {
    private static final String SEPARATOR = ",";

    private final Terminal terminal;

    @Mixin
    private OrderOptions options = new OrderOptions();

    private FleetAdoptCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        FleetAdoptCommand adopt = new FleetAdoptCommand(terminal);
        CommandLine command = new CommandLine(adopt);
        adopt.options.addOutputTo(command);
        HelpExamples.set(
                command,
                "flotilla fleet adopt --reason 'topic freezes was deleted by mistake; all freezes are written"
                        + " again'");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = options.waitOption().problems();
        return problems.isEmpty()
                ? options.connection().run(terminal, this::submitOrder)
                : options.connection().reportUsageErrors(terminal, problems);
    }

    private int submitOrder(FleetKafkaClient kafka) {
        List<TopicId> recorded = kafka.read(List.of(), Table.HEAD).head().topicIds();
        List<TopicId> created = kafka
                .topics()
                .readTopicIds(TopicCatalogue.fleetTopics().stream()
                        .filter(topic -> OrchestratorPartitions.isRestoredFrom(topic.table()))
                        .toList())
                .stream()
                .filter(topic -> {
                    String before = TopicId.of(recorded, topic.table());
                    return before != null && !before.equals(topic.id());
                })
                .toList();
        if (created.isEmpty()) {
            return options.reportNotApplied(
                    terminal, "the fleet", "no topic of the fleet was created again: there is nothing to adopt");
        }
        String ids = created.stream().map(TopicId::id).collect(Collectors.joining(SEPARATOR));
        String names =
                created.stream().map(topic -> Topic.of(topic.table()).name()).collect(Collectors.joining(", "));
        return options.submitCampaignOrder(
                kafka,
                terminal,
                new OperatorOrderKey.AdoptFleetTopics(),
                OperatorOrder.OrderVerb.ADOPT,
                ids,
                "topic " + names,
                "adopted");
    }
}
