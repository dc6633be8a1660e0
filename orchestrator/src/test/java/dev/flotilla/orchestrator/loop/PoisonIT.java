package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nobody can read is parked with its reason, and nothing else breaks by it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoisonIT {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");
    private static final int TEN_MEBIBYTES = 10 * 1024 * 1024;

    private LocalKafka kafka;
    private Field field;
    private OrchestratorLoop loop;

    /** A record that somebody writes, and why it cannot be taken. */
    record Poison(String what, WireRecord record, RejectionReason reason) {
        @Override
        public String toString() {
            return what;
        }
    }

    @BeforeAll
    void start() {
        kafka = LocalKafka.start();
        field = new Field(kafka.bootstrap(), List.of(EAST, WEST));
        loop = loop("first");
    }

    @AfterAll
    void stop() {
        loop.close();
        field.close();
        kafka.close();
    }

    static Stream<Poison> poisons() {
        byte[] huge = new byte[TEN_MEBIBYTES];
        Arrays.fill(huge, (byte) ' ');
        WireRecord west = WireRecordCodec.encode(Field.worker(WEST, "k1", 1));
        return Stream.of(
                new Poison(
                        "not JSON", text("flotilla.inventory.east", "machine/fleet/a", "{"), RejectionReason.NOT_JSON),
                new Poison(
                        "another form",
                        text("flotilla.inventory.east", "machine/fleet/b", "{}"),
                        RejectionReason.MISSING_FIELD),
                new Poison(
                        "another site",
                        new WireRecord("flotilla.inventory.east", 0, west.key(), west.value(), west.headers()),
                        RejectionReason.WRONG_SITE),
                new Poison(
                        "10 MiB that compress well",
                        new WireRecord("flotilla.inventory.east", 0, "machine/fleet/c", huge, WireHeaders.NONE),
                        RejectionReason.TOO_LARGE),
                new Poison(
                        "a version to come",
                        new WireRecord(
                                "flotilla.intents.east",
                                0,
                                "machine/fleet/d",
                                "{}".getBytes(StandardCharsets.UTF_8),
                                new WireHeaders("intent", "99", null)),
                        RejectionReason.FUTURE_VERSION),
                new Poison("an empty key", text("flotilla.orders", "", "{}"), RejectionReason.BAD_KEY),
                new Poison(
                        "a key without end",
                        text("flotilla.orders", "x".repeat(20_000), "{}"),
                        RejectionReason.BAD_KEY),
                new Poison(
                        "progress of nobody", text("flotilla.progress.west", "machine", "{}"), RejectionReason.BAD_KEY),
                new Poison("a policy of prose", text("flotilla.policies", "east", "please"), RejectionReason.NOT_JSON),
                new Poison(
                        "a campaign of one word",
                        text("flotilla.campaigns", "spring", "1"),
                        RejectionReason.WRONG_TYPE));
    }

    @ParameterizedTest
    @MethodSource("poisons")
    void isParkedWithItsPlaceAndReason(Poison poison) {
        String start = poison.record().topic() + "/0/" + key(poison);
        field.raw(List.of(poison.record()));
        field.await(
                poison.what() + " is rejected",
                () -> field.now(RejectedRecord.class)
                        .anyMatch(rejectedRecord -> rejectedRecord.key().toString().startsWith(start)));
        RejectedRecord row = field.now(RejectedRecord.class)
                .filter(rejectedRecord -> rejectedRecord.key().toString().startsWith(start))
                .findFirst()
                .orElseThrow();
        System.out.printf(
                "%-28s %-26s %-16s %s%n",
                poison.what(), poison.record().topic(), row.reason().label(), row.problem());
        assertThat(row.reason()).isEqualTo(poison.reason());
        assertThat(row.key().key().length()).isLessThanOrEqualTo(1024);
    }

    @Test
    void isFoundAgainAndNotDoubledByTheNextLeader() {
        field.raw(List.of(text("flotilla.inventory.west", "machine/fleet/again", "{{")));
        field.await("it is rejected", () -> rejections("again") == 1);
        loop.close();
        loop = loop("second");
        field.write(Field.heartbeat(WEST));
        long terms = terms();
        field.await("another term and what it decides", () -> terms() > terms);
        field.write(Field.worker(WEST, "k9", 3));
        field.await(
                "the next input is decided on",
                () -> field.journal().stream()
                        .anyMatch(record -> record.subject().endsWith("k9-w-3")));
        assertThat(rejections("again")).isEqualTo(1);
        assertThat(field.now(RejectedRecord.class).filter(row -> row.key().key().contains("again")))
                .hasSize(1);
    }

    private long terms() {
        return field.journal().stream()
                .filter(record -> record.event().equals("took-over"))
                .count();
    }

    private long rejections(String part) {
        return field.journal().stream()
                .filter(record -> record.event().equals("rejected"))
                .map(JournalRecord::subject)
                .filter(subject -> subject.contains(part))
                .count();
    }

    private static String key(Poison poison) {
        String key = String.valueOf(poison.record().key());
        return key.substring(0, Math.min(100, key.length()));
    }

    private static WireRecord text(String topic, String key, String value) {
        return new WireRecord(topic, 0, key, value.getBytes(StandardCharsets.UTF_8), WireHeaders.NONE);
    }

    private OrchestratorLoop loop(String name) {
        OrchestratorLoop started = new OrchestratorLoop(
                Surroundings.usual(
                        name,
                        KafkaClientSettings.forLocalBroker(kafka.bootstrap()),
                        FleetDecider::standard,
                        step -> {},
                        new Silent()),
                new Mailbox(GateChain.standard()));
        started.start();
        return started;
    }
}
