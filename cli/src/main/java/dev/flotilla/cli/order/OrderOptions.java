package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.SubmissionResult;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Who orders and why, and how the order is given. */
public final class OrderOptions {
    @Option(names = "--why", paramLabel = "TEXT", required = true, description = "Why; the journal keeps it.")
    private String why = "";

    @Option(names = "--who", paramLabel = "NAME", description = "Who orders it. Default: the user of this process.")
    private String who = System.getProperty("user.name", "unknown");

    @Option(
            names = "--id",
            paramLabel = "ID",
            description =
                    "Tells this order from others: the same order with the same id is applied once, another one is"
                            + " refused. Default: a new one.")
    private @Nullable String id;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec verb;

    @Mixin
    private WaitOption waitOption = new WaitOption();

    /** How Kafka is reached. */
    public KafkaConnectionOption connection() {
        return connection.of(verb);
    }

    /** How long the answer is waited for. */
    public WaitOption waitOption() {
        return waitOption;
    }

    /**
     * Writes the order and tells the answer.
     *
     * @param what is ordered, and what it is once that is done, for the answer
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

    /** Writes an order whose id says what it is about, and tells the answer. */
    int submitCampaignOrder(
            FleetKafkaClient kafka,
            Terminal terminal,
            OperatorOrderKey key,
            OperatorOrder.OrderVerb verb,
            String ofWhat,
            String what,
            String done) {
        return submit(kafka, terminal, new OperatorOrder(key, ofWhat, who, why, null, verb), what, done);
    }

    /**
     * Writes an order to unfreeze and tells the answer.
     *
     * @param lifts the ids of freezes on other topics that it lifts too
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

    /** Writes an approval and tells the answer. */
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

    private OperatorOrder order(
            OperatorOrderKey key,
            OperatorOrder.OrderVerb verb,
            @Nullable Long campaignUid,
            @Nullable String edition,
            @Nullable Long otherUid) {
        String tells = id == null ? UUID.randomUUID().toString() : id;
        return new OperatorOrder(key, tells, who, why, campaignUid, edition, otherUid, verb);
    }

    private int submit(FleetKafkaClient kafka, Terminal terminal, OperatorOrder order, String what, String done) {
        SubmissionResult submissionResult = kafka.submit(order, waitOption.duration());
        return waitOption.printResult(submissionResult, what, done, connection(), terminal);
    }
}
