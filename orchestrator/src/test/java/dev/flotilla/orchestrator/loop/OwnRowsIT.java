package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.tables.TopicMaker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Somebody has written where only the orchestrator may. */
class OwnRowsIT {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");
    private static final String TOPIC = "flotilla.status.east";
    private static final String KEY = "machine/fleet/k1-w-0";

    private final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();

    @Test
    void aRowOfASiteThatCannotBeReadSetsThatSiteAsideUntilAnotherHasTakenItsPlace() throws InterruptedException {
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of(WEST));
                Leaders leaders = new Leaders(kafka.bootstrap(), listener())) {
            TopicMaker.make(kafka.bootstrap(), List.of(EAST));
            field.write(Field.heartbeat(EAST), Field.heartbeat(WEST));
            field.await("both sites are read", () -> isUsed(field, EAST) && isUsed(field, WEST));

            field.raw(List.of(record("{".getBytes(StandardCharsets.UTF_8))));
            leaders.next();
            field.await("east is set aside", () -> head(field, EAST).unreachableSince() != null);
            String reason = head(field, EAST).unreachableReason();
            System.out.println("OwnRowsIT: " + reason);
            assertThat(reason)
                    .startsWith("a row of ours cannot be read: " + TOPIC + ", partition 0, offset ")
                    .contains("key " + KEY + ".", "write a tombstone for its key");
            assertThat(head(field, EAST).lostTables()).isEmpty();
            field.write(Wishes.policy(1), Field.heartbeat(WEST));
            field.write(Field.cluster(WEST, "k2", 1), Field.worker(WEST, "k2", 0));
            field.write(Wishes.campaign());
            field.await(
                    "west is upgraded",
                    () -> field.now(WorkerCommand.UpgradeMachine.class)
                            .anyMatch(command -> command.key().site().equals(WEST)));
            assertThat(refusals).isEmpty();

            field.raw(List.of(record(null)));
            field.await("east is back", () -> isUsed(field, EAST));
            leaders.next();
            long term = term(field);
            field.await("the next one leads", () -> term(field) > term);
            assertThat(head(field, EAST).unreachableSince()).isNull();
        }
    }

    @Test
    void nobodyLeadsOnARowOfTheFleetThatCannotBeRead() {
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of());
                Leaders leaders = new Leaders(kafka.bootstrap(), listener())) {
            field.await("somebody leads", () -> term(field) == 1);
            field.raw(List.of(new WireRecord(
                    "flotilla.campaign-status", 0, "spring", "{".getBytes(StandardCharsets.UTF_8), WireHeaders.NONE)));
            leaders.next();
            assertThat(firstRefusal())
                    .startsWith("A row of our own cannot be read: flotilla.campaign-status, partition 0, offset 0");
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

    private static SiteHead head(Field field, SiteId site) {
        return field.now(SiteHead.class)
                .filter(head -> head.site().equals(site))
                .findFirst()
                .orElse(SiteHead.of(site));
    }

    private static boolean isUsed(Field field, SiteId site) {
        SiteHead head = head(field, site);
        return head.unreachableSince() == null && !head.offsets().isEmpty();
    }

    @Test
    void aRowWithANumberThatNoDecisionHasStopsNobody() {
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of(EAST));
                Leaders leaders = new Leaders(kafka.bootstrap(), listener())) {
            field.await("somebody leads", () -> term(field) == 1);
            WireRecord forged = WireRecordCodec.encode(SiteStatus.of(EAST), Long.MAX_VALUE);
            field.raw(List.of(new WireRecord(forged.topic(), 0, forged.key(), forged.value(), forged.headers())));
            leaders.next();
            field.await("the next one leads", () -> term(field) == 2);
            assertThat(refusals).isEmpty();
        }
    }

    private static WireRecord record(byte[] value) {
        return new WireRecord(TOPIC, 0, KEY, value, WireHeaders.NONE);
    }

    private static long term(Field field) {
        return field.now(FleetHead.class).map(FleetHead::term).findFirst().orElse(0L);
    }

    private LoopListener listener() {
        return new Silent() {
            @Override
            public void standing(Standing standing, String why) {
                if (standing == Standing.REFUSING) {
                    refusals.add(why);
                }
            }
        };
    }
}
