package dev.flotilla.simulator.log;

import static dev.flotilla.simulator.log.SampleLogRecords.PLACE;
import static dev.flotilla.simulator.log.SampleLogRecords.all;
import static dev.flotilla.simulator.log.SampleLogRecords.row;
import static dev.flotilla.simulator.log.SampleLogRecords.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who sees which records of a transaction, and when. */
class SimTransactionTest {
    private static final TablePartition ELSEWHERE = TablePartition.of(Table.POLICIES);

    private final SimKafkaLog log = new SimKafkaLog(new VirtualClockScheduler());
    private final SimProducer producer = log.init("leader");

    @Test
    void anAbortedTransactionIsInvisible() {
        producer.send(PLACE, row("north", 1));
        producer.abort();
        producer.send(PLACE, row("south", 2));
        producer.commit(null);

        assertThat(all(log)).containsExactly("south=2");
    }

    @Test
    void anAbortedTransactionIsInvisibleToWhoReadsUncommittedRecordsLater() {
        producer.send(PLACE, row("north", 1));
        producer.abort();

        assertThat(new SimLogReader(log, true).upTo(PLACE, log.end(PLACE))).isEmpty();
    }

    @Test
    void anOpenTransactionHidesWhatWasWrittenAfterIt() {
        log.append(PLACE, row("north", 1));
        producer.send(PLACE, row("south", 2));
        log.append(PLACE, row("east", 3));
        SimLogReader reader = new SimLogReader(log);

        assertThat(text(reader.upTo(PLACE, log.end(PLACE)))).containsExactly("north=1");
        producer.commit(null);
        assertThat(text(reader.upTo(PLACE, log.end(PLACE)))).containsExactly("south=2", "east=3");
    }

    @Test
    void whatCameAfterATransactionIsSeenWhenItIsAborted() {
        producer.send(PLACE, row("south", 2));
        log.append(PLACE, row("east", 3));
        SimLogReader reader = new SimLogReader(log);

        assertThat(reader.upTo(PLACE, log.end(PLACE))).isEmpty();
        producer.abort();
        assertThat(text(reader.upTo(PLACE, log.end(PLACE)))).containsExactly("east=3");
    }

    @Test
    void anOpenTransactionIsSeenByWhoReadsUncommittedRecords() {
        producer.send(PLACE, row("north", 1));

        assertThat(text(new SimLogReader(log, true).upTo(PLACE, log.end(PLACE))))
                .containsExactly("north=1");
    }

    @Test
    void allPartitionsOfATransactionShowItAtOnce() {
        SimLogReader reader = new SimLogReader(log);
        reader.seek(PLACE, 0);
        reader.seek(ELSEWHERE, 0);
        producer.send(PLACE, row("north", 1));
        producer.send(ELSEWHERE, row("south", 2));
        assertThat(reader.poll(0, 10)).isEmpty();

        producer.commit(null);

        assertThat(text(reader.poll(0, 10))).containsExactly("north=1", "south=2");
    }

    @Test
    void aPartitionTellsOfACommitAndNotOfWhatIsOpen() {
        List<String> told = new ArrayList<>();
        log.addListener(PLACE, () -> told.add("told"));

        producer.send(PLACE, row("north", 1));
        assertThat(told).isEmpty();
        producer.commit(null);
        assertThat(told).hasSize(1);
    }

    @Test
    void aCommitTellsItsRecordsByPartition() {
        List<String> told = new ArrayList<>();
        log.onCommit((by, records, note) ->
                records.forEach((tablePartition, facts) -> told.add(tablePartition + " " + facts.size())));
        producer.send(PLACE, row("north", 1));
        producer.send(PLACE, row("north", 2));
        producer.send(ELSEWHERE, row("south", 3));
        producer.commit(null);
        producer.send(ELSEWHERE, row("south", 4));
        producer.commit(null);

        assertThat(told).containsExactly("freezes/0 2", "policies/0 1", "policies/0 1");
    }
}
