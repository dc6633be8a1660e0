package dev.flotilla.simulator.log;

import static dev.flotilla.simulator.log.SampleLogRecords.PLACE;
import static dev.flotilla.simulator.log.SampleLogRecords.all;
import static dev.flotilla.simulator.log.SampleLogRecords.key;
import static dev.flotilla.simulator.log.SampleLogRecords.row;
import static dev.flotilla.simulator.log.SampleLogRecords.text;
import static dev.flotilla.simulator.log.SampleLogRecords.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * Compaction may or may not remove a record, so each seed leaves something else; what must remain does so with all of
 * them.
 */
class LogCompactionTest {
    private static final int SEEDS = 30;
    private static final int MANY_RUNS = 60;
    private static final long EVERYTHING = Long.MAX_VALUE;
    private static final long NO_TOMBSTONE = 0;
    private static final long EVERY_TOMBSTONE = Long.MAX_VALUE;

    private final VirtualClockScheduler scheduler = new VirtualClockScheduler();
    private final SimKafkaLog log = new SimKafkaLog(scheduler);

    @RepeatedTest(SEEDS)
    void newestRowOfEachKeyRemains(RepetitionInfo seed) {
        log.append(PLACE, row("north", 1));
        log.append(PLACE, row("south", 2));
        log.append(PLACE, row("north", 3));
        log.append(PLACE, row("south", 4));
        log.append(PLACE, row("north", 5));

        compact(seed, EVERYTHING, EVERY_TOMBSTONE);

        assertThat(all(log)).endsWith("south=4", "north=5");
    }

    @Test
    void supersededRecordsAreRemovedEventually() {
        log.append(PLACE, row("north", 1));
        log.append(PLACE, row("north", 2));
        log.append(PLACE, row("south", 3));

        compactOften();

        assertThat(all(log)).containsExactly("north=2", "south=3");
    }

    @RepeatedTest(SEEDS)
    void recordsFromTheHorizonOnRemain(RepetitionInfo seed) {
        log.append(PLACE, row("north", 1));
        long horizon = log.end(PLACE);
        log.append(PLACE, row("north", 2));
        log.append(PLACE, row("north", 3));

        compact(seed, horizon, EVERY_TOMBSTONE);

        assertThat(all(log)).containsExactly("north=1", "north=2", "north=3");
    }

    @RepeatedTest(SEEDS)
    void recordsFromAnOpenTransactionOnRemain(RepetitionInfo seed) {
        log.append(PLACE, row("north", 1));
        SimProducer producer = log.init("leader");
        producer.send(PLACE, row("north", 2));
        log.append(PLACE, row("north", 3));

        compact(seed, EVERYTHING, EVERY_TOMBSTONE);
        producer.commit(null);

        assertThat(all(log)).containsExactly("north=1", "north=2", "north=3");
    }

    @RepeatedTest(SEEDS)
    void abortedRecordSupersedesNothing(RepetitionInfo seed) {
        log.append(PLACE, row("north", 1));
        SimProducer producer = log.init("leader");
        producer.send(PLACE, row("north", 2));
        producer.abort();

        compact(seed, EVERYTHING, EVERY_TOMBSTONE);

        assertThat(all(log)).containsExactly("north=1");
    }

    @Test
    void tombstoneRemainsUntilItIsOld() {
        log.append(PLACE, row("north", 1));
        log.append(PLACE, tombstone("north"));

        compactOften();
        assertThat(all(log)).containsExactly("north=");

        log.compact(PLACE, new SeededRandom(1), EVERYTHING, scheduler.now() + 1);
        assertThat(all(log)).isEmpty();
    }

    @RepeatedTest(SEEDS)
    void tombstoneOutlivesTheRecordsThatItRemoves(RepetitionInfo seed) {
        log.append(PLACE, row("north", 1));
        log.append(PLACE, tombstone("north"));

        compact(seed, EVERYTHING, EVERY_TOMBSTONE);

        assertThat(all(log)).isIn(List.of(), List.of("north="), List.of("north=1", "north="));
    }

    @RepeatedTest(SEEDS)
    void rowAfterATombstoneRemains(RepetitionInfo seed) {
        log.append(PLACE, tombstone("north"));
        log.append(PLACE, row("north", 1));

        compact(seed, EVERYTHING, EVERY_TOMBSTONE);

        assertThat(all(log)).endsWith("north=1");
    }

    @RepeatedTest(SEEDS)
    void unreadableRecordSupersedesLikeAnyOther(RepetitionInfo seed) {
        log.append(PLACE, row("north", 1));
        log.appendUnreadable(PLACE, key("north"));

        compact(seed, EVERYTHING, EVERY_TOMBSTONE);

        assertThat(all(log)).endsWith("north=");
    }

    @Test
    void offsetsDoNotChange() {
        log.append(PLACE, row("north", 1));
        log.append(PLACE, row("south", 2));
        SimLogReader reader = new SimLogReader(log);
        assertThat(reader.upTo(PLACE, 1)).hasSize(1);
        log.append(PLACE, row("south", 3));
        log.append(PLACE, row("north", 4));

        compactOften();

        assertThat(log.end(PLACE)).isEqualTo(4);
        assertThat(reader.position(PLACE)).isEqualTo(1);
        assertThat(text(reader.upTo(PLACE, log.end(PLACE)))).containsExactly("south=3", "north=4");
        assertThat(reader.position(PLACE)).isEqualTo(4);
    }

    private void compact(RepetitionInfo seed, long horizon, long tombstonesBefore) {
        log.compact(PLACE, new SeededRandom(seed.getCurrentRepetition()), horizon, tombstonesBefore);
    }

    private void compactOften() {
        SeededRandom chance = new SeededRandom(1);
        for (int i = 0; i < MANY_RUNS; i++) {
            log.compact(PLACE, chance, EVERYTHING, NO_TOMBSTONE);
        }
    }
}
