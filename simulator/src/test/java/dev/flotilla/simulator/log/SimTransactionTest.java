package dev.flotilla.simulator.log;

import static dev.flotilla.simulator.log.SampleLogRecords.PLACE;
import static dev.flotilla.simulator.log.SampleLogRecords.all;
import static dev.flotilla.simulator.log.SampleLogRecords.row;
import static dev.flotilla.simulator.log.SampleLogRecords.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which records of a transaction a reader sees, and when. */
class SimTransactionTest {
    private static final TablePartition OTHER_PARTITION = TablePartition.of(Table.POLICIES);

    private final SimKafkaLog log = new SimKafkaLog(new VirtualClockScheduler());
    private final SimProducer producer = log.init("leader");

    @Test
    void abortedTransactionIsInvisible() {
        producer.send(PLACE, row("north", 1));
        producer.abort();
        producer.send(PLACE, row("south", 2));
        producer.commit(null);

        assertThat(all(log)).containsExactly("south=2");
    }

    @Test
    void abortedTransactionIsInvisibleToLaterUncommittedReads() {
        producer.send(PLACE, row("north", 1));
        producer.abort();

        assertThat(new SimLogReader(log, true).upTo(PLACE, log.end(PLACE))).isEmpty();
    }

    @Test
    void openTransactionHidesLaterRecords() {
        log.append(PLACE, row("north", 1));
        producer.send(PLACE, row("south", 2));
        log.append(PLACE, row("east", 3));
        SimLogReader reader = new SimLogReader(log);

        assertThat(text(reader.upTo(PLACE, log.end(PLACE)))).containsExactly("north=1");
        producer.commit(null);
        assertThat(text(reader.upTo(PLACE, log.end(PLACE)))).containsExactly("south=2", "east=3");
    }

    @Test
    void laterRecordsAreVisibleAfterAnAbort() {
        producer.send(PLACE, row("south", 2));
        log.append(PLACE, row("east", 3));
        SimLogReader reader = new SimLogReader(log);

        assertThat(reader.upTo(PLACE, log.end(PLACE))).isEmpty();
        producer.abort();
        assertThat(text(reader.upTo(PLACE, log.end(PLACE)))).containsExactly("east=3");
    }

    @Test
    void openTransactionIsVisibleToUncommittedReads() {
        producer.send(PLACE, row("north", 1));

        assertThat(text(new SimLogReader(log, true).upTo(PLACE, log.end(PLACE))))
                .containsExactly("north=1");
    }

    @Test
    void transactionBecomesVisibleInAllPartitionsAtOnce() {
        SimLogReader reader = new SimLogReader(log);
        reader.seek(PLACE, 0);
        reader.seek(OTHER_PARTITION, 0);
        producer.send(PLACE, row("north", 1));
        producer.send(OTHER_PARTITION, row("south", 2));
        assertThat(reader.poll(0, 10)).isEmpty();

        producer.commit(null);

        assertThat(text(reader.poll(0, 10))).containsExactly("north=1", "south=2");
    }

    @Test
    void partitionNotifiesAfterACommitOnly() {
        List<String> notifications = new ArrayList<>();
        log.addListener(PLACE, () -> notifications.add("notified"));

        producer.send(PLACE, row("north", 1));
        assertThat(notifications).isEmpty();
        producer.commit(null);
        assertThat(notifications).hasSize(1);
    }

    @Test
    void commitNotifiesItsRecordsByPartition() {
        List<String> notifications = new ArrayList<>();
        log.onCommit((by, records, note) ->
                records.forEach((tablePartition, changes) -> notifications.add(tablePartition + " " + changes.size())));
        producer.send(PLACE, row("north", 1));
        producer.send(PLACE, row("north", 2));
        producer.send(OTHER_PARTITION, row("south", 3));
        producer.commit(null);
        producer.send(OTHER_PARTITION, row("south", 4));
        producer.commit(null);

        assertThat(notifications).containsExactly("freezes/0 2", "policies/0 1", "policies/0 1");
    }
}
