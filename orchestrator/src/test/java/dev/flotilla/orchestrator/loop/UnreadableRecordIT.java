package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
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

/** Tests that an unreadable record is rejected with its reason, and that nothing else fails. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreadableRecordIT {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");
    private static final int TEN_MEBIBYTES = 10 * 1024 * 1024;

    private LocalKafka kafka;
    private TableActorsFixture tableActorsFixture;
    private OrchestratorLoop loop;

    /** A record, and why it is rejected. */
    record UnreadableInput(String what, WireRecord record, RejectionReason reason) {
        @Override
        public String toString() {
            return what;
        }
    }

    @BeforeAll
    void start() {
        kafka = LocalKafka.start();
        tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST, WEST));
        loop = loop("first");
    }

    @AfterAll
    void stop() {
        loop.close();
        tableActorsFixture.close();
        kafka.close();
    }

    static Stream<UnreadableInput> unreadableInputs() {
        byte[] huge = new byte[TEN_MEBIBYTES];
        Arrays.fill(huge, (byte) ' ');
        WireRecord west = WireRecordCodec.encode(TableActorsFixture.worker(WEST, "k1", 1));
        return Stream.of(
                new UnreadableInput(
                        "not JSON", text("flotilla.inventory.east", "machine/fleet/a", "{"), RejectionReason.NOT_JSON),
                new UnreadableInput(
                        "another form",
                        text("flotilla.inventory.east", "machine/fleet/b", "{}"),
                        RejectionReason.MISSING_FIELD),
                new UnreadableInput(
                        "another site",
                        new WireRecord("flotilla.inventory.east", 0, west.key(), west.value(), west.headers()),
                        RejectionReason.WRONG_SITE),
                new UnreadableInput(
                        "10 MiB that compress well",
                        new WireRecord("flotilla.inventory.east", 0, "machine/fleet/c", huge, WireHeaders.NONE),
                        RejectionReason.TOO_LARGE),
                new UnreadableInput(
                        "a version to come",
                        new WireRecord(
                                "flotilla.intents.east",
                                0,
                                "machine/fleet/d",
                                "{}".getBytes(StandardCharsets.UTF_8),
                                new WireHeaders("intent", "99", null)),
                        RejectionReason.FUTURE_VERSION),
                new UnreadableInput("an empty key", text("flotilla.orders", "", "{}"), RejectionReason.BAD_KEY),
                new UnreadableInput(
                        "a key without end",
                        text("flotilla.orders", "x".repeat(20_000), "{}"),
                        RejectionReason.BAD_KEY),
                new UnreadableInput(
                        "progress of nobody", text("flotilla.progress.west", "machine", "{}"), RejectionReason.BAD_KEY),
                new UnreadableInput(
                        "a policy of prose", text("flotilla.policies", "east", "please"), RejectionReason.NOT_JSON),
                new UnreadableInput(
                        "a campaign of one word",
                        text("flotilla.campaigns", "spring", "1"),
                        RejectionReason.WRONG_TYPE));
    }

    @ParameterizedTest
    @MethodSource("unreadableInputs")
    void rejectsARecordWithItsPositionAndReason(UnreadableInput unreadableInput) {
        String start = unreadableInput.record().topic() + "/0/" + key(unreadableInput);
        tableActorsFixture.writeRecords(List.of(unreadableInput.record()));
        RejectedRecord row = tableActorsFixture.awaitRow(
                unreadableInput.what() + " is rejected",
                RejectedRecord.class,
                rejectedRecord -> rejectedRecord.key().toString().startsWith(start));
        System.out.printf(
                "%-28s %-26s %-16s %s%n",
                unreadableInput.what(),
                unreadableInput.record().topic(),
                row.reason().label(),
                row.problem());
        assertThat(row.reason()).isEqualTo(unreadableInput.reason());
        assertThat(row.key().key().length()).isLessThanOrEqualTo(1024);
    }

    @Test
    void theNextLeaderDoesNotRejectItTwice() {
        tableActorsFixture.writeRecords(List.of(text("flotilla.inventory.west", "machine/fleet/again", "{{")));
        tableActorsFixture.await("it is rejected", () -> rejections("again") == 1);
        loop.close();
        loop = loop("second");
        tableActorsFixture.write(TableActorsFixture.heartbeat(WEST));
        long terms = terms();
        tableActorsFixture.await("another term and what it decides", () -> terms() > terms);
        tableActorsFixture.write(TableActorsFixture.worker(WEST, "k9", 3));
        tableActorsFixture.await(
                "the next input is decided on",
                () -> tableActorsFixture.journal().stream()
                        .anyMatch(record -> record.subject().endsWith("k9-w-3")));
        assertThat(rejections("again")).isEqualTo(1);
        assertThat(tableActorsFixture
                        .currentRows(RejectedRecord.class)
                        .filter(row -> row.key().key().contains("again")))
                .hasSize(1);
    }

    private long terms() {
        return tableActorsFixture.journal().stream()
                .filter(record -> record.event().equals("leader-elected"))
                .count();
    }

    private long rejections(String part) {
        return tableActorsFixture.journal().stream()
                .filter(record -> record.event().equals("rejected"))
                .map(JournalRecord::subject)
                .filter(subject -> subject.contains(part))
                .count();
    }

    private static String key(UnreadableInput unreadableInput) {
        String key = String.valueOf(unreadableInput.record().key());
        return key.substring(0, Math.min(100, key.length()));
    }

    private static WireRecord text(String topic, String key, String value) {
        return new WireRecord(topic, 0, key, value.getBytes(StandardCharsets.UTF_8), WireHeaders.NONE);
    }

    private OrchestratorLoop loop(String name) {
        OrchestratorLoop started = new OrchestratorLoop(
                OrchestratorLoopConfig.defaults(
                        name,
                        KafkaClientSettings.forLocalBroker(kafka.bootstrap()),
                        FleetDecider::standard,
                        loopCrashPoint -> {},
                        new SilentLoopListener()),
                new StateQueryQueue(GateChain.standard()));
        started.start();
        return started;
    }
}
