package dev.flotilla.simulator.log;

import static dev.flotilla.simulator.log.SampleLogRecords.PLACE;
import static dev.flotilla.simulator.log.SampleLogRecords.row;
import static dev.flotilla.simulator.log.SampleLogRecords.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import org.junit.jupiter.api.Test;

/** The order in which a reader sees records, and its positions. */
class SimLogReaderTest {
    private static final TablePartition FIRST = new TablePartition(Table.COMMANDS, new SiteId("north"), 0);
    private static final TablePartition SECOND = new TablePartition(Table.COMMANDS, new SiteId("north"), 1);

    private final SimKafkaLog log = new SimKafkaLog(new VirtualClockScheduler());
    private final SimLogReader reader = new SimLogReader(log);

    SimLogReaderTest() {
        reader.seek(FIRST, 0);
        reader.seek(SECOND, 0);
    }

    @Test
    void readerKeepsTheOrderOfEachPartition() {
        SimProducer leader = log.init("leader");
        for (int value = 1; value <= 6; value++) {
            leader.send(value % 2 == 0 ? SECOND : FIRST, row("north", value));
            leader.commit(null);
        }

        assertThat(text(reader.poll(0, 100)))
                .containsSubsequence("north=1", "north=3", "north=5")
                .containsSubsequence("north=2", "north=4", "north=6")
                .hasSize(6);
    }

    @Test
    void delayedPartitionDelaysNoOther() {
        log.append(FIRST, row("north", 1));
        log.append(SECOND, row("north", 2));
        reader.delayRecords(FIRST, 1000);

        assertThat(text(reader.poll(999, 100))).containsExactly("north=2");
        assertThat(text(reader.poll(1000, 100))).containsExactly("north=1");
    }

    @Test
    void delayedPartitionLosesNothingAndKeepsItsOrder() {
        log.append(FIRST, row("north", 1));
        reader.delayRecords(FIRST, 1000);
        reader.poll(0, 100);
        log.append(FIRST, row("north", 2));

        assertThat(text(reader.poll(1000, 100))).containsExactly("north=1", "north=2");
    }

    @Test
    void pollReturnsTheRequestedNumberAndContinues() {
        for (int value = 1; value <= 5; value++) {
            log.append(FIRST, row("north", value));
        }

        assertThat(text(reader.poll(0, 2))).containsExactly("north=1", "north=2");
        assertThat(reader.position(FIRST)).isEqualTo(2);
        assertThat(text(reader.poll(0, 2))).containsExactly("north=3", "north=4");
        assertThat(text(reader.poll(0, 2))).containsExactly("north=5");
        assertThat(reader.poll(0, 2)).isEmpty();
    }

    @Test
    void fullPollLeavesOtherPartitionsForTheNext() {
        log.append(FIRST, row("north", 1));
        log.append(FIRST, row("north", 2));
        log.append(SECOND, row("north", 3));

        assertThat(text(reader.poll(0, 2))).containsExactly("north=1", "north=2");
        assertThat(text(reader.poll(0, 2))).containsExactly("north=3");
    }

    @Test
    void pollLimitsAllPartitionsTogether() {
        log.append(FIRST, row("north", 1));
        log.append(SECOND, row("north", 2));
        log.append(SECOND, row("north", 3));

        assertThat(text(reader.poll(0, 2))).containsExactly("north=1", "north=2");
        assertThat(text(reader.poll(0, 2))).containsExactly("north=3");
    }

    @Test
    void readingUpToAnOffsetStopsThere() {
        log.append(FIRST, row("north", 1));
        log.append(FIRST, row("north", 2));
        log.append(FIRST, row("north", 3));

        assertThat(text(reader.upTo(FIRST, 2))).containsExactly("north=1", "north=2");
        assertThat(reader.position(FIRST)).isEqualTo(2);
        assertThat(reader.upTo(FIRST, 2)).isEmpty();
    }

    @Test
    void readingUpToAnEarlierOffsetMovesNothing() {
        log.append(FIRST, row("north", 1));
        log.append(FIRST, row("north", 2));
        reader.upTo(FIRST, 2);

        assertThat(reader.upTo(FIRST, 1)).isEmpty();
        assertThat(reader.position(FIRST)).isEqualTo(2);
    }

    @Test
    void readerContinuesFromASoughtOffset() {
        log.append(FIRST, row("north", 1));
        log.append(FIRST, row("north", 2));
        reader.poll(0, 100);

        reader.seek(FIRST, 1);

        assertThat(text(reader.poll(0, 100))).containsExactly("north=2");
    }

    @Test
    void readersAreIndependent() {
        log.append(PLACE, row("north", 1));
        SimLogReader other = new SimLogReader(log);

        assertThat(text(reader.upTo(PLACE, 1))).containsExactly("north=1");
        assertThat(text(other.upTo(PLACE, 1))).containsExactly("north=1");
    }
}
