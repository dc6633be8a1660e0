package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.SingleNodeFixture.CALM;
import static dev.flotilla.simulator.node.SingleNodeFixture.HOUR;
import static dev.flotilla.simulator.node.SingleNodeFixture.MINUTE;
import static dev.flotilla.simulator.node.SingleNodeFixture.NEW;
import static dev.flotilla.simulator.node.SingleNodeFixture.OLD;
import static dev.flotilla.simulator.node.SingleNodeFixture.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.UpgradeTarget;
import org.junit.jupiter.api.Test;

/** A node that does what it is told, and what it answers. */
class NodeRefreshTest {

    @Test
    void aRefreshIsDoneAfterItsTimeAndNotBefore() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
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
        SingleNodeFixture lone = new SingleNodeFixture(NodeFaultProfile.withoutFaults(3 * HOUR, 0));
        String change = lone.begin();

        lone.pass(3 * HOUR - MINUTE);
        assertThat(lone.status(change)).isEqualTo("Doing");
        assertThat(lone.node.isRefreshing()).isTrue();

        lone.pass(MINUTE);
        assertThat(lone.node.isRefreshing()).isFalse();
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aNodeGoesAwayForTheEndOfItsRefreshAndComesBackReady() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        String change = lone.begin();

        lone.pass(USUAL - 5000);
        assertThat(lone.node.isReachable()).isFalse();
        assertThat(lone.node.isReady()).isFalse();
        assertThat(lone.status(change)).isNull();

        lone.pass(MINUTE);
        assertThat(lone.node.isReachable()).isTrue();
        assertThat(lone.node.isReady()).isTrue();
    }

    @Test
    void aSecondCallIsAConflictAndChangesNothing() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.begin();

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NodeBusy.class);
        assertThat(lone.ledger.calls())
                .extracting(NodeCallLedger.NodeCall::effective)
                .containsExactly(true, false);
        assertThat(lone.ledger.calls())
                .extracting(NodeCallLedger.NodeCall::rejected)
                .containsExactly(false, true);
        assertThat(lone.ledger.inFlight()).isEqualTo(1);
    }

    @Test
    void aNodeAtItsTargetHasNothingToDo() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.begin();
        lone.settle().pass(MINUTE);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NothingToDo.class);
        assertThat(lone.node.isRefreshing()).isFalse();
    }

    @Test
    void badCredentialsAreRefused() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.node.setBadCredentials(true);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.CallRejected.class);
        assertThat(lone.node.isRefreshing()).isFalse();
    }

    @Test
    void aNodeThatIsAwayIsNotCalledAtAll() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.node.makeUnreachable(MINUTE);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NotSent.class);
        assertThat(lone.ledger.calls()).isEmpty();
    }

    @Test
    void theLedgerCountsARefreshFromTheCallToItsEnd() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.begin();

        assertThat(lone.ledger.inFlight()).isEqualTo(1);
        lone.settle();
        assertThat(lone.ledger.inFlight()).isZero();
        assertThat(lone.ledger.maxInFlight()).isEqualTo(1);
    }

    @Test
    void aNodeRemembersWhatRanWhen() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
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
        assertThat(new SingleNodeFixture(CALM).status("7")).isEmpty();
    }
}
