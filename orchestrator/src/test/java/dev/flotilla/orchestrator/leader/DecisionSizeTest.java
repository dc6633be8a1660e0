package dev.flotilla.orchestrator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.orchestrator.loop.SampleCampaigns;
import dev.flotilla.orchestrator.loop.TableActorsFixture;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that decisions on the largest valid rows, and on their loss, fit Kafka's record size. */
class DecisionSizeTest {
    private static final SiteId SITE = new SiteId("north");
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final int MOST_WAVES = 64;
    private static final int MOST_LABELS = 512;
    private static final int SITES = 250;

    private final FleetState state = new FleetState();
    private final DecisionEngine decisionEngine = new DecisionEngine(FleetDecider.standard(), state);
    private int largest;
    private String of = "";
    private long offset;

    @Test
    void decisionsOnTheLargestRowsFitARecord() {
        processInput(new DecisionInput.LeaderElected(NOW));
        acceptRecord(
                new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(5), null, false, null, null, null, null));
        acceptHeartbeat(SITE);
        acceptRecord(largest(MOST_LABELS, DecisionSizeTest::cluster));
        acceptRecord(largest(MOST_LABELS, DecisionSizeTest::machine));
        Campaign campaign = largest(MOST_LABELS, n -> campaign(n, 1));
        acceptRecord(campaign);
        printLargest("a campaign and its waves");
        acceptRecord(largest(MOST_LABELS, n -> campaign(n, 2)));
        printLargest("an edit of all its waves");
        acceptRecord(order(
                new OperatorOrderKey.SetCampaignState(campaign.name()), OperatorOrder.OrderVerb.PAUSE, 2L + offset));
        acceptRecord(order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE, null));
        printLargest("orders");
        makeUnreadable("flotilla.inventory.north", "cluster/fleet/k1");
        makeUnreadable("flotilla.inventory.north", "machine/fleet/k1-w-0");
        makeUnreadable("flotilla.campaigns", campaign.name().name());
        makeUnreadable("flotilla.policies", "fleet");
        makeUnreadable("flotilla.freezes", "fleet/freeze");
        printLargest("the loss of each of them");
    }

    @Test
    void decisionOnAPolicyForEverySiteFitsARecord() {
        processInput(new DecisionInput.LeaderElected(NOW));
        for (int i = 0; i < SITES; i++) {
            SiteId site = new SiteId("s" + i);
            acceptHeartbeat(site);
            acceptRecord(new UpgradeIntent(
                    new MachineKey(site, "fleet", "m"), "uid", UpgradeTarget.parse("localPath=/opt/k8s.snap"), NOW));
        }
        acceptRecord(localPaths());
        printLargest("a policy with as many local paths as it may have, and " + SITES + " sites to tell");
    }

    @Test
    void canStopACampaignWithAllApprovalsAndResolvedTargets() {
        processInput(new DecisionInput.LeaderElected(NOW));
        acceptRecord(
                new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(5), null, false, null, null, null, null));
        Campaign campaign = largest(MOST_LABELS, n -> campaign(n, 1));
        acceptRecord(campaign);
        state.put(fullStatus(campaign, 2L + offset));
        acceptRecord(order(
                new OperatorOrderKey.SetCampaignState(campaign.name()), OperatorOrder.OrderVerb.PAUSE, 2L + offset));
        printLargest("a pause of a campaign that was approved and taught as much as may be");
        assertThat(Objects.requireNonNull(state.rollout(campaign.name()))
                        .status()
                        .state())
                .isEqualTo(CampaignState.PAUSED);
    }

    /** A campaign status with the largest number of approvals and resolved targets. */
    private static CampaignStatus fullStatus(Campaign campaign, long uid) {
        CampaignName name = campaign.name();
        List<AppliedOrder> orders = new ArrayList<>();
        for (Wave wave : campaign.spec().waves()) {
            orders.add(
                    new AppliedOrder(new OperatorOrderKey.ApproveWave(name, wave.name()).toString(), "€".repeat(512)));
        }
        for (OperatorOrderKey key : List.of(
                new OperatorOrderKey.RetryQuarantined(name),
                new OperatorOrderKey.ApproveOverlap(name),
                new OperatorOrderKey.SetCampaignState(name))) {
            orders.add(new AppliedOrder(key.toString(), "€".repeat(512)));
        }
        List<ResolvedTarget> learned = new ArrayList<>();
        int chars = 0;
        for (int i = 0; chars < CampaignStatus.MAX_RESOLVED_TARGET_CHARS - 200; i++) {
            ResolvedTarget next = new ResolvedTarget("amd64", "3421", "v1.33.2", new SiteId("site-" + i));
            learned.add(next);
            chars += next.chars();
        }
        return new CampaignStatus(name, uid, campaign, CampaignState.RUNNING, null, NOW, learned, 0, orders);
    }

    private static UpgradePolicy localPaths() {
        List<String> paths = IntStream.range(0, 32)
                .mapToObj(i -> "/opt/" + i + "/" + "d".repeat(500))
                .toList();
        UpgradePolicy.IntentRule usual = UpgradePolicy.IntentRule.DEFAULT;
        UpgradePolicy.IntentRule rule = new UpgradePolicy.IntentRule(
                usual.maxUnavailable(),
                usual.retryRule(),
                paths,
                usual.maxInFlight(),
                usual.maxInFlightPerCluster(),
                usual.clusterSoak(),
                usual.windows(),
                usual.drainMode());
        return new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, rule);
    }

    /** The readable row with the most labels, which has as many bytes as a row may have. */
    private static <T extends TableRow> T largest(int most, Function<Integer, T> row) {
        int labels = most;
        DecodeResult<RowChange> decodeResult = WireRecordCodec.decode(WireRecordCodec.encode(row.apply(labels)));
        while (decodeResult instanceof DecodeResult.Rejected<RowChange> rejected) {
            assertThat(rejected.firstRejection().reason())
                    .as(rejected.firstRejection().toString())
                    .isEqualTo(RejectionReason.TOO_LARGE);
            labels--;
            decodeResult = WireRecordCodec.decode(WireRecordCodec.encode(row.apply(labels)));
        }
        assertThat(TransactionBuilder.sizeOf(WireRecordCodec.encode(row.apply(labels))))
                .isGreaterThan(DocumentLimits.INPUT_BYTES - 500);
        return row.apply(labels);
    }

    private static Labels labels(int count) {
        TreeMap<String, String> labels = new TreeMap<>();
        IntStream.range(0, count).forEach(i -> labels.put("k".repeat(250) + ".example/" + i, "v".repeat(60)));
        return new Labels(labels);
    }

    private static ClusterRow cluster(int labels) {
        ClusterRow row = TableActorsFixture.cluster(SITE, "k1", 1);
        return new ClusterRow(row.key(), row.uid(), labels(labels), false, false, null, 0, 1);
    }

    private static MachineRow machine(int labels) {
        MachineRow row = TableActorsFixture.worker(SITE, "k1", 0);
        return new MachineRow(
                row.key(),
                row.uid(),
                row.cluster(),
                row.owner(),
                row.role(),
                labels(labels),
                row.node(),
                row.providerId(),
                row.systemUuid(),
                row.ready(),
                row.deleting(),
                row.paused(),
                row.hold(),
                row.optOut(),
                row.release(),
                row.kubeletVersion(),
                row.revision(),
                row.architecture(),
                row.foreignActivities());
    }

    private static Campaign campaign(int labels, int takes) {
        List<Wave> waves = IntStream.range(0, MOST_WAVES)
                .mapToObj(i -> new Wave(
                        "w".repeat(50) + i,
                        List.of(),
                        LabelSelector.ALL,
                        i == MOST_WAVES - 1 ? null : new CountOrPercent.Count(i + takes),
                        Wave.WaveApproval.NONE,
                        100,
                        java.time.Duration.ZERO))
                .toList();
        Campaign plain = SampleCampaigns.campaign(waves, RetryRule.DEFAULT);
        return new Campaign(new CampaignName("c".repeat(60)), labels(labels), plain.spec());
    }

    private static OperatorOrder order(OperatorOrderKey key, OperatorOrder.OrderVerb verb, Long uid) {
        return new OperatorOrder(key, "i".repeat(500), "w".repeat(500), "€".repeat(1_024), uid, verb);
    }

    private void acceptHeartbeat(SiteId site) {
        acceptRecord(TableActorsFixture.heartbeat(site));
        processInput(new DecisionInput.HeartbeatResumed(site, NOW));
    }

    private void acceptRecord(RowChange rowChange) {
        processInput(new DecisionInput.RecordReceived(rowChange, 0, offset++, NOW));
    }

    /** Replaces a row by an unreadable record. */
    private void makeUnreadable(String topic, String key) {
        processInput(new DecisionInput.RecordUnreadable(
                new RejectedRecord(
                        new RejectedRecordKey(topic, 0, key),
                        offset++,
                        RejectionReason.NOT_JSON,
                        "p".repeat(1_000),
                        "€".repeat(1_000),
                        "€".repeat(1_000),
                        NOW),
                NOW));
    }

    private void processInput(DecisionInput input) {
        decisionEngine.processInput(input, 1_000, this::checkSize);
    }

    private void checkSize(Decision decision) {
        WireRecordCodec.JournalWireRecords journalWireRecords =
                WireRecordCodec.encodeJournalRecord(DecisionBatch.journalRecordOf(decision, "0".repeat(64)));
        List<WireRecord> records = new ArrayList<>(journalWireRecords.changes());
        records.add(journalWireRecords.journal());
        for (WireRecord record : records) {
            int size = TransactionBuilder.sizeOf(record);
            assertThat(size)
                    .as("%s %s, in %s", decision.event(), decision.subject(), record.topic())
                    .isLessThanOrEqualTo(TopicCatalogue.MAX_RECORD_BYTES);
            if (size > largest) {
                largest = size;
                of = decision.event().label();
            }
        }
    }

    private void printLargest(String what) {
        System.out.printf("%-70s at most %,7d bytes a record (%s)%n", what, largest, of);
        largest = 0;
    }
}
