package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.ChangeResult;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.OrderAuthorOption;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that all order commands share: author, reason, id, connection and wait. */
public final class OrderOptions {
    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Reason, kept in the journal.")
    private String why = "";

    @Mixin
    private OrderAuthorOption requestedBy = new OrderAuthorOption();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description =
                    "Id of the order: repeating an order with its id applies it once; a different order with a used"
                            + " id is" + " rejected. Default: a new id.")
    private @Nullable String id;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec calledCommand;

    @Mixin
    private WaitOption waitOption = new WaitOption();

    private final OutputOption output = new OutputOption();

    /** Adds the option {@code --output} to a command that gives one order and does nothing else. */
    void addOutputTo(CommandLine command) {
        command.addMixin("output", output);
    }

    /** Options of the connection to Kafka. */
    public KafkaConnectionOption connection() {
        return connection.withCommand(calledCommand);
    }

    /** Option that says how long to wait for the answer. */
    public WaitOption waitOption() {
        return waitOption;
    }

    /**
     * Writes the order and prints the answer.
     *
     * @param what object of the order, for the answer
     */
    public int submitOrder(
            FleetKafkaClient kafka,
            Terminal terminal,
            OperatorOrderKey key,
            OperatorOrder.OrderVerb verb,
            @Nullable Long campaignUid,
            String what,
            String done) {
        return submit(kafka, terminal, order(key, verb, campaignUid, null, null), what, done);
    }

    /** Writes an order whose id contains what it holds for, and prints the answer. */
    int submitCampaignOrder(
            FleetKafkaClient kafka,
            Terminal terminal,
            OperatorOrderKey key,
            OperatorOrder.OrderVerb verb,
            String ofWhat,
            String what,
            String done) {
        return submit(
                kafka, terminal, new OperatorOrder(key, ofWhat, requestedBy.author(), why, null, verb), what, done);
    }

    /**
     * Writes an unfreeze order and prints the answer.
     *
     * @param lifts ids of freezes on other topics that it also lifts
     */
    int unfreeze(
            FleetKafkaClient kafka,
            Terminal terminal,
            OperatorOrderKey key,
            List<String> lifts,
            String what,
            String done) {
        OperatorOrder order =
                order(key, OperatorOrder.OrderVerb.UNFREEZE, null, null, null).withLiftedFreezes(lifts);
        return submit(kafka, terminal, order, what, done);
    }

    /** Writes an approval and prints the answer. */
    int approve(
            FleetKafkaClient kafka,
            Terminal terminal,
            OperatorOrderKey key,
            CampaignStatus status,
            @Nullable Long otherUid,
            String done) {
        String edition = key instanceof OperatorOrderKey.ApproveWave
                ? CampaignContentHash.compute(status.acceptedCampaign())
                : null;
        OperatorOrder order = order(key, OperatorOrder.OrderVerb.APPROVE, status.uid(), edition, otherUid);
        return submit(kafka, terminal, order, "campaign " + status.name(), done);
    }

    /** Prints why no order was written. */
    int reportNotApplied(Terminal terminal, String what, String why) {
        return ChangeResult.notApplied(what, why).print(output, connection(), terminal);
    }

    private OperatorOrder order(
            OperatorOrderKey key,
            OperatorOrder.OrderVerb verb,
            @Nullable Long campaignUid,
            @Nullable String edition,
            @Nullable Long otherUid) {
        String tells = id == null ? UUID.randomUUID().toString() : id;
        return new OperatorOrder(key, tells, requestedBy.author(), why, campaignUid, edition, otherUid, verb);
    }

    private int submit(FleetKafkaClient kafka, Terminal terminal, OperatorOrder order, String what, String done) {
        return waitOption
                .result(kafka.submit(order, waitOption.duration()), what, done)
                .print(output, connection(), terminal);
    }
}
