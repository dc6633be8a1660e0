package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.LoneNode.CALM;
import static dev.flotilla.simulator.node.LoneNode.HOUR;
import static dev.flotilla.simulator.node.LoneNode.MINUTE;
import static dev.flotilla.simulator.node.LoneNode.NEW;
import static dev.flotilla.simulator.node.LoneNode.OLD;
import static dev.flotilla.simulator.node.LoneNode.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.UpgradeTarget;
import org.junit.jupiter.api.Test;

/** A node that does what it is told, and what it answers. */
class NodeRefreshTest {

    @Test
    void aRefreshIsDoneAfterItsTimeAndNotBefore() {
        LoneNode lone = new LoneNode(CALM);
        String change = lone.begin();

        lone.pass(USUAL / 2);
        assertThat(lone.status(change)).isEqualTo("Doing");
        assertThat(lone.node.revision()).isEqualTo(OLD);

        lone.pass(USUAL / 2);
        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.version()).isEqualTo("v1.33.0");
    }

    @Test
    void aSlowNodeIsBusyForAllOfItsTime() {
        LoneNode lone = new LoneNode(NodeTemper.calm(3 * HOUR, 0));
        String change = lone.begin();

        lone.pass(3 * HOUR - MINUTE);
        assertThat(lone.status(change)).isEqualTo("Doing");
        assertThat(lone.node.busy()).isTrue();

        lone.pass(MINUTE);
        assertThat(lone.node.busy()).isFalse();
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aNodeGoesAwayForTheEndOfItsRefreshAndComesBackReady() {
        LoneNode lone = new LoneNode(CALM);
        String change = lone.begin();

        lone.pass(USUAL - 5000);
        assertThat(lone.node.reachable()).isFalse();
        assertThat(lone.node.ready()).isFalse();
        assertThat(lone.status(change)).isNull();

        lone.pass(MINUTE);
        assertThat(lone.node.reachable()).isTrue();
        assertThat(lone.node.ready()).isTrue();
    }

    @Test
    void aSecondCallIsAConflictAndChangesNothing() {
        LoneNode lone = new LoneNode(CALM);
        lone.begin();

        assertThat(lone.call()).isInstanceOf(CallOutcome.Conflict.class);
        assertThat(lone.ledger.calls()).extracting(Ledger.Call::effective).containsExactly(true, false);
        assertThat(lone.ledger.calls()).extracting(Ledger.Call::refused).containsExactly(false, true);
        assertThat(lone.ledger.inFlight()).isEqualTo(1);
    }

    @Test
    void aNodeAtItsTargetHasNothingToDo() {
        LoneNode lone = new LoneNode(CALM);
        lone.begin();
        lone.settle().pass(MINUTE);

        assertThat(lone.call()).isInstanceOf(CallOutcome.NothingToDo.class);
        assertThat(lone.node.busy()).isFalse();
    }

    @Test
    void badCredentialsAreRefused() {
        LoneNode lone = new LoneNode(CALM);
        lone.node.setBadCredentials(true);

        assertThat(lone.call()).isInstanceOf(CallOutcome.Refused.class);
        assertThat(lone.node.busy()).isFalse();
    }

    @Test
    void aNodeThatIsAwayIsNotCalledAtAll() {
        LoneNode lone = new LoneNode(CALM);
        lone.node.away(MINUTE);

        assertThat(lone.call()).isInstanceOf(CallOutcome.NotSent.class);
        assertThat(lone.ledger.calls()).isEmpty();
    }

    @Test
    void theLedgerCountsARefreshFromTheCallToItsEnd() {
        LoneNode lone = new LoneNode(CALM);
        lone.begin();

        assertThat(lone.ledger.inFlight()).isEqualTo(1);
        lone.settle();
        assertThat(lone.ledger.inFlight()).isZero();
        assertThat(lone.ledger.maxInFlight()).isEqualTo(1);
    }

    @Test
    void aNodeRemembersWhatRanWhen() {
        LoneNode lone = new LoneNode(CALM);
        lone.begin();
        lone.settle();
        long upgraded = lone.scheduler.now();
        lone.pass(HOUR);

        assertThat(lone.node.ranSince(upgraded - 1, new UpgradeTarget.Revision(Integer.toString(OLD))))
                .isTrue();
        assertThat(lone.node.ranSince(upgraded + 1, new UpgradeTarget.Revision(Integer.toString(OLD))))
                .isFalse();
        assertThat(lone.node.ranSince(upgraded + 1, new UpgradeTarget.Revision(Integer.toString(NEW))))
                .isTrue();
    }

    @Test
    void anUnknownChangeHasNoStatus() {
        assertThat(new LoneNode(CALM).status("7")).isEmpty();
    }
}
