package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.tables.TopicMaker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Somebody has written where only the orchestrator may. */
class OwnRowsIT {
    private static final SiteId EAST = new SiteId("east");
    private static final String TOPIC = "flotilla.status.east";
    private static final String KEY = "machine/fleet/k1-w-0";

    private final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();

    @Test
    void nobodyLeadsOnARowThatCannotBeReadUntilAnotherHasTakenItsPlace() throws InterruptedException {
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of());
                Leaders leaders = new Leaders(kafka.bootstrap(), listener())) {
            TopicMaker.make(kafka.bootstrap(), List.of(EAST));
            field.write(Field.heartbeat(EAST));
            field.await("somebody leads", () -> term(field) == 1);

            field.raw(List.of(record("{".getBytes(StandardCharsets.UTF_8))));
            leaders.next();
            field.await("nobody leads", () -> !refusals.isEmpty());
            String refusal = refusals.remove();
            System.out.println("OwnRowsIT: " + refusal);
            assertThat(refusal)
                    .startsWith("A row of our own cannot be read: " + TOPIC + ", partition 0, offset ")
                    .contains("key " + KEY + ".", "write a tombstone for its key");
            assertThat(term(field)).as("the term of whoever leads").isEqualTo(1);

            field.raw(List.of(record(null)));
            field.await("somebody leads again", () -> term(field) == 2);
        }
    }

    @Test
    void aRowWithANumberThatNoDecisionHasStopsNobody() {
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of(EAST));
                Leaders leaders = new Leaders(kafka.bootstrap(), listener())) {
            field.await("somebody leads", () -> term(field) == 1);
            WireRecord forged = Wire.encode(SiteStatus.of(EAST), Long.MAX_VALUE);
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
