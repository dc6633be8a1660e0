package dev.flotilla.simulator.log;

import static dev.flotilla.simulator.log.LoggedOrders.PLACE;
import static dev.flotilla.simulator.log.LoggedOrders.all;
import static dev.flotilla.simulator.log.LoggedOrders.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.world.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two sessions of one transactional id: the later one alone may write. */
class FencingTest {
    private final SimLog log = new SimLog(new Scheduler());

    @Test
    void eachSessionOfAnIdHasAHigherEpoch() {
        assertThat(log.init("leader").epoch()).isZero();
        assertThat(log.init("leader").epoch()).isEqualTo(1);
        assertThat(log.init("worker").epoch()).isZero();
    }

    @Test
    void whatAnOlderSessionHadOpenIsNeverSeen() {
        Producer older = log.init("leader");
        older.send(PLACE, row("north", 1));

        Producer newer = log.init("leader");

        assertThat(older.fenced()).isTrue();
        assertThat(older.commit(null)).isFalse();
        newer.send(PLACE, row("north", 2));
        assertThat(newer.commit(null)).isTrue();
        assertThat(all(log)).containsExactly("north=2");
    }

    @Test
    void anOlderSessionCanSendNothingMore() {
        Producer older = log.init("leader");
        log.init("leader");

        assertThat(older.send(PLACE, row("north", 1))).isFalse();
        assertThat(older.commit(null)).isFalse();
        assertThat(log.end(PLACE)).isZero();
    }

    @Test
    void whatAnOlderSessionHadCommittedStays() {
        Producer older = log.init("leader");
        older.send(PLACE, row("north", 1));
        older.commit(null);

        log.init("leader");

        assertThat(all(log)).containsExactly("north=1");
    }

    @Test
    void anotherIdFencesNobody() {
        Producer leader = log.init("leader");
        log.init("worker");

        leader.send(PLACE, row("north", 1));
        assertThat(leader.commit(null)).isTrue();
    }

    @Test
    void aFencedCommitIsToldToNobody() {
        List<String> told = new ArrayList<>();
        log.onCommit((by, records, note) -> told.add(by.id() + " " + by.epoch() + " " + note));
        Producer older = log.init("leader");
        older.send(PLACE, row("north", 1));
        Producer newer = log.init("leader");
        newer.send(PLACE, row("north", 2));

        older.commit("old");
        newer.commit("new");

        assertThat(told).containsExactly("leader 1 new");
    }

    @Test
    void aBrokerThatDoesNotFenceLetsBothWrite() {
        log.neverFences();
        Producer older = log.init("leader");
        Producer newer = log.init("leader");

        older.send(PLACE, row("north", 1));
        older.commit(null);
        newer.send(PLACE, row("north", 2));
        newer.commit(null);

        assertThat(all(log)).containsExactly("north=1", "north=2");
    }
}
