package dev.flotilla.simulator.log;

import static dev.flotilla.simulator.log.SampleLogRecords.PLACE;
import static dev.flotilla.simulator.log.SampleLogRecords.all;
import static dev.flotilla.simulator.log.SampleLogRecords.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two sessions of one transactional id: only the newer one may write. */
class ProducerFencingTest {
    private final SimKafkaLog log = new SimKafkaLog(new VirtualClockScheduler());

    @Test
    void eachSessionOfAnIdHasAHigherEpoch() {
        assertThat(log.init("leader").epoch()).isZero();
        assertThat(log.init("leader").epoch()).isEqualTo(1);
        assertThat(log.init("worker").epoch()).isZero();
    }

    @Test
    void openTransactionOfAnOlderSessionIsNeverVisible() {
        SimProducer older = log.init("leader");
        older.send(PLACE, row("north", 1));

        SimProducer newer = log.init("leader");

        assertThat(older.isFenced()).isTrue();
        assertThat(older.commit(null)).isFalse();
        newer.send(PLACE, row("north", 2));
        assertThat(newer.commit(null)).isTrue();
        assertThat(all(log)).containsExactly("north=2");
    }

    @Test
    void olderSessionCannotSend() {
        SimProducer older = log.init("leader");
        log.init("leader");

        assertThat(older.send(PLACE, row("north", 1))).isFalse();
        assertThat(older.commit(null)).isFalse();
        assertThat(log.end(PLACE)).isZero();
    }

    @Test
    void committedRecordsOfAnOlderSessionRemain() {
        SimProducer older = log.init("leader");
        older.send(PLACE, row("north", 1));
        older.commit(null);

        log.init("leader");

        assertThat(all(log)).containsExactly("north=1");
    }

    @Test
    void anotherIdFencesNoSession() {
        SimProducer leader = log.init("leader");
        log.init("worker");

        leader.send(PLACE, row("north", 1));
        assertThat(leader.commit(null)).isTrue();
    }

    @Test
    void fencedCommitNotifiesNoListener() {
        List<String> commits = new ArrayList<>();
        log.onCommit((by, records, note) -> commits.add(by.id() + " " + by.epoch() + " " + note));
        SimProducer older = log.init("leader");
        older.send(PLACE, row("north", 1));
        SimProducer newer = log.init("leader");
        newer.send(PLACE, row("north", 2));

        older.commit("old");
        newer.commit("new");

        assertThat(commits).containsExactly("leader 1 new");
    }

    @Test
    void brokerWithoutFencingAcceptsBothSessions() {
        log.disableFencing();
        SimProducer older = log.init("leader");
        SimProducer newer = log.init("leader");

        older.send(PLACE, row("north", 1));
        older.commit(null);
        newer.send(PLACE, row("north", 2));
        newer.commit(null);

        assertThat(all(log)).containsExactly("north=1", "north=2");
    }
}
