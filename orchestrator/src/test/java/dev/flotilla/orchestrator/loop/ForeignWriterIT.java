package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.leader.OrchestratorListener;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.runtime.process.BuildVersion;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.tables.TopicCreator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests records that another client wrote to topics of the orchestrator. */
class ForeignWriterIT {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");
    private static final String TOPIC = "flotilla.status.east";
    private static final String KEY = "machine/fleet/k1-w-0";

    private final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();

    @Test
    void anUnreadableSiteRowSuspendsTheSiteUntilItIsReplaced() throws InterruptedException {
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(WEST));
                OrchestratorReplicas orchestratorReplicas = new OrchestratorReplicas(kafka.bootstrap(), listener())) {
            TopicCreator.createTopics(kafka.bootstrap(), List.of(EAST));
            tableActorsFixture.write(TableActorsFixture.heartbeat(EAST), TableActorsFixture.heartbeat(WEST));
            tableActorsFixture.await(
                    "both sites are read", () -> isUsed(tableActorsFixture, EAST) && isUsed(tableActorsFixture, WEST));

            tableActorsFixture.writeRecords(List.of(record("{".getBytes(StandardCharsets.UTF_8))));
            orchestratorReplicas.startNext();
            tableActorsFixture.await(
                    "east is suspended", () -> head(tableActorsFixture, EAST).unreachableSince() != null);
            String reason = head(tableActorsFixture, EAST).unreachableReason();
            System.out.println("OwnRowsIT: " + reason);
            assertThat(reason)
                    .startsWith("a row that an orchestrator wrote is unreadable: " + TOPIC + ", partition 0, offset ")
                    .contains("key " + KEY + ".", "write a tombstone for its key");
            assertThat(head(tableActorsFixture, EAST).lostTables()).isEmpty();
            tableActorsFixture.write(SampleCampaigns.policy(1), TableActorsFixture.heartbeat(WEST));
            tableActorsFixture.write(
                    TableActorsFixture.cluster(WEST, "k2", 1), TableActorsFixture.worker(WEST, "k2", 0));
            tableActorsFixture.write(SampleCampaigns.campaign());
            tableActorsFixture.await(
                    "west is upgraded",
                    () -> tableActorsFixture
                            .currentRows(WorkerCommand.UpgradeMachine.class)
                            .anyMatch(command -> command.key().site().equals(WEST)));
            assertThat(refusals).isEmpty();

            tableActorsFixture.writeRecords(List.of(record(null)));
            tableActorsFixture.await("east is back", () -> isUsed(tableActorsFixture, EAST));
            orchestratorReplicas.startNext();
            long term = term(tableActorsFixture);
            tableActorsFixture.await("the next one leads", () -> term(tableActorsFixture) > term);
            assertThat(head(tableActorsFixture, EAST).unreachableSince()).isNull();
        }
    }

    @Test
    void refusesToLeadOnAnUnreadableFleetRow() {
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of());
                OrchestratorReplicas orchestratorReplicas = new OrchestratorReplicas(kafka.bootstrap(), listener())) {
            tableActorsFixture.await("a replica leads", () -> term(tableActorsFixture) == 1);
            tableActorsFixture.writeRecords(List.of(new WireRecord(
                    "flotilla.campaign-status", 0, "spring", "{".getBytes(StandardCharsets.UTF_8), WireHeaders.NONE)));
            orchestratorReplicas.startNext();
            assertThat(firstRefusal())
                    .startsWith("A row that an orchestrator wrote is unreadable: flotilla.campaign-status, partition 0,"
                            + " offset 0");
        }
    }

    /** The message names the form of the row, this version, and the way out. */
    @Test
    void refusesToLeadOnAFleetRowOfANewerVersion() {
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of());
                OrchestratorReplicas orchestratorReplicas = new OrchestratorReplicas(kafka.bootstrap(), listener())) {
            tableActorsFixture.await("a replica leads", () -> term(tableActorsFixture) == 1);
            tableActorsFixture.writeRecords(List.of(new WireRecord(
                    "flotilla.campaign-status",
                    0,
                    "spring",
                    "{}".getBytes(StandardCharsets.UTF_8),
                    new WireHeaders("campaign-status", "2", null))));
            orchestratorReplicas.startNext();
            assertThat(firstRefusal())
                    .endsWith("key spring: schemaVersion: \"2\" is newer than 1, the newest version that this process"
                            + " supports. A newer version of Flotilla wrote it, and this is " + BuildVersion.number()
                            + ": run that version or a newer one.");
        }
    }

    /** A leader of a newer version has raised the level; this one must not continue from its rows. */
    @Test
    void refusesToLeadOnTablesOfAHigherFeatureLevel() {
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of());
                OrchestratorReplicas orchestratorReplicas = new OrchestratorReplicas(kafka.bootstrap(), listener())) {
            tableActorsFixture.await("a replica leads", () -> term(tableActorsFixture) == 1);
            orchestratorReplicas.stop();
            FleetHead head = tableActorsFixture.awaitRow("its last head row", FleetHead.class, row -> row.seq() > 0);
            FleetHead raised = new FleetHead(
                    head.term(),
                    head.seq(),
                    head.decidedAt(),
                    head.journalHash(),
                    FleetHead.FEATURE_LEVEL + 1,
                    head.clockInSync(),
                    head.offsets(),
                    head.chapter(),
                    head.topicIds());
            WireRecord record = WireRecordCodec.encode(raised, raised.seq());
            tableActorsFixture.writeRecords(
                    List.of(new WireRecord(record.topic(), 0, record.key(), record.value(), record.headers())));
            orchestratorReplicas.startNext();
            assertThat(firstRefusal())
                    .isEqualTo("The tables are at feature level 2 and flotilla " + BuildVersion.number()
                            + " understands 1: run the version that wrote them, or a newer one.");
        }
    }

    private String firstRefusal() {
        try {
            return String.valueOf(refusals.poll(60, TimeUnit.SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private static SiteHead head(TableActorsFixture tableActorsFixture, SiteId site) {
        return tableActorsFixture
                .currentRows(SiteHead.class)
                .filter(head -> head.site().equals(site))
                .findFirst()
                .orElse(SiteHead.of(site));
    }

    private static boolean isUsed(TableActorsFixture tableActorsFixture, SiteId site) {
        SiteHead head = head(tableActorsFixture, site);
        return head.unreachableSince() == null && !head.offsets().isEmpty();
    }

    @Test
    void ignoresARowWithAnImpossibleDecisionNumber() {
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST));
                OrchestratorReplicas orchestratorReplicas = new OrchestratorReplicas(kafka.bootstrap(), listener())) {
            tableActorsFixture.await("a replica leads", () -> term(tableActorsFixture) == 1);
            WireRecord forged = WireRecordCodec.encode(SiteStatus.of(EAST), Long.MAX_VALUE);
            tableActorsFixture.writeRecords(
                    List.of(new WireRecord(forged.topic(), 0, forged.key(), forged.value(), forged.headers())));
            orchestratorReplicas.startNext();
            tableActorsFixture.await("the next one leads", () -> term(tableActorsFixture) == 2);
            assertThat(refusals).isEmpty();
        }
    }

    private static WireRecord record(byte[] value) {
        return new WireRecord(TOPIC, 0, KEY, value, WireHeaders.NONE);
    }

    private static long term(TableActorsFixture tableActorsFixture) {
        return tableActorsFixture
                .currentRows(FleetHead.class)
                .map(FleetHead::term)
                .findFirst()
                .orElse(0L);
    }

    private OrchestratorListener listener() {
        return new SilentLoopListener() {
            @Override
            public void roleChanged(ReplicaRole replicaRole, String why) {
                if (replicaRole == ReplicaRole.REFUSING) {
                    refusals.add(why);
                }
            }
        };
    }
}
