package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.leader.TransactionLimits;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that a valid row leads to records that Kafka accepts, or is rejected once instead of failing every leader. */
class LargestDecisionIT {
    private static final int SITES = 60;
    private static final int SMALL = 4_096;

    @Test
    void commitsAPolicyForEverySite() {
        List<SiteId> sites =
                IntStream.range(0, SITES).mapToObj(i -> new SiteId("s" + i)).toList();
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), sites);
                OrchestratorReplicas orchestratorReplicas =
                        new OrchestratorReplicas(kafka.bootstrap(), new SilentLoopListener())) {
            List<UpgradeIntent> asked = new ArrayList<>();
            for (SiteId site : sites) {
                tableActorsFixture.write(TableActorsFixture.heartbeat(site));
                asked.add(new UpgradeIntent(
                        new MachineKey(site, "fleet", "m"),
                        "uid",
                        UpgradeTarget.parse("localPath=/opt/k8s.snap"),
                        Instant.EPOCH));
            }
            tableActorsFixture.write(asked);
            tableActorsFixture.await(
                    "every site has a decision that there are none",
                    () -> tableActorsFixture.currentRows(SiteStatus.class).count() == SITES);
            List<String> paths = IntStream.range(0, 32)
                    .mapToObj(i -> "/opt/" + i + "/" + "d".repeat(540))
                    .toList();
            tableActorsFixture.write(policy(paths));
            tableActorsFixture.await(
                    "every site has a decision which there are",
                    () -> tableActorsFixture
                                    .currentRows(SiteStatus.class)
                                    .filter(told -> told.rules().localPaths().equals(paths))
                                    .count()
                            == SITES);
            assertThat(orchestratorReplicas.readSnapshot().head().term())
                    .as("the term of who leads")
                    .isEqualTo(1);
        }
    }

    @Test
    void rejectsAnInputWhoseDecisionIsTooLarge() {
        SiteId east = new SiteId("east");
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(east));
                OrchestratorReplicas orchestratorReplicas =
                        new OrchestratorReplicas(number -> small(kafka.bootstrap(), number))) {
            tableActorsFixture.write(TableActorsFixture.heartbeat(east), TableActorsFixture.worker(east, "k1", 0));
            tableActorsFixture.write(policy(IntStream.range(0, 32)
                    .mapToObj(i -> "/opt/" + i + "/" + "d".repeat(100))
                    .toList()));
            RejectedRecord row = tableActorsFixture.awaitRow("it is rejected", RejectedRecord.class, any -> true);
            System.out.println("LargestDecisionIT: " + row.key() + " " + row.problem());
            assertThat(row.key()).hasToString("flotilla.policies/0/fleet");
            assertThat(row.reason()).isEqualTo(RejectionReason.TOO_LARGE);
            assertThat(row.problem())
                    .contains("in topic flotilla.journal", "policy-accepted fleet", "the limit is 4096");

            tableActorsFixture.write(new UpgradePolicy(
                    FleetScope.FLEET, new CountOrPercent.Count(1), null, false, null, null, null, null));
            tableActorsFixture.await(
                    "another takes its place",
                    () -> tableActorsFixture
                            .currentRows(RejectedRecord.class)
                            .findAny()
                            .isEmpty());
            orchestratorReplicas.startNext();
            tableActorsFixture.await(
                    "the next leader goes on",
                    () -> tableActorsFixture.currentRows(FleetHead.class).anyMatch(head -> head.term() == 2));
        }
    }

    private static OrchestratorLoopConfig small(String bootstrap, int number) {
        OrchestratorLoopConfig usual = OrchestratorLoopConfig.defaults(
                "leader-" + number,
                KafkaClientSettings.forLocalBroker(bootstrap),
                FleetDecider::standard,
                loopCrashPoint -> {},
                new SilentLoopListener());
        TransactionLimits transactionLimits = TransactionLimits.DEFAULT;
        return new OrchestratorLoopConfig(
                usual.name(),
                usual.clients(),
                usual.decider(),
                usual.clock(),
                new TransactionLimits(
                        transactionLimits.records(), transactionLimits.bytes(), transactionLimits.partitions(), SMALL),
                usual.chapterPolicy(),
                usual.sessionTimeout(),
                usual.requestTimeout(),
                usual.crashPoints(),
                usual.listener());
    }

    private static UpgradePolicy policy(List<String> paths) {
        UpgradePolicy.IntentRule usual = UpgradePolicy.IntentRule.DEFAULT;
        return new UpgradePolicy(
                FleetScope.FLEET,
                null,
                null,
                false,
                null,
                null,
                null,
                new UpgradePolicy.IntentRule(
                        usual.maxUnavailable(),
                        usual.retryRule(),
                        paths,
                        usual.maxInFlight(),
                        usual.maxInFlightPerCluster(),
                        usual.clusterSoak(),
                        usual.windows(),
                        usual.drainMode()));
    }
}
