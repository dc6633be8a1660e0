package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.SingleNodeFixture.HOUR;
import static dev.flotilla.simulator.node.SingleNodeFixture.MINUTE;
import static dev.flotilla.simulator.node.SingleNodeFixture.NEW;
import static dev.flotilla.simulator.node.SingleNodeFixture.OLD;
import static dev.flotilla.simulator.node.SingleNodeFixture.USUAL_DURATION;
import static dev.flotilla.simulator.node.SingleNodeFixture.WITHOUT_FAULTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.UpgradeTarget;
import org.junit.jupiter.api.Test;

/** A node without faults, and its answers. */
class NodeRefreshTest {

    @Test
    void refreshEndsAfterItsDurationAndNotBefore() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        String change = lone.startRefresh();

        lone.advance(USUAL_DURATION / 2);
        assertThat(lone.status(change)).isEqualTo("Doing");
        assertThat(lone.node.revision()).isEqualTo(OLD);

        lone.advance(USUAL_DURATION / 2);
        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.version()).isEqualTo("v1.33.0");
    }

    @Test
    void slowNodeIsBusyForItsWholeDuration() {
        SingleNodeFixture lone = new SingleNodeFixture(NodeFaultProfile.withoutFaults(3 * HOUR, 0));
        String change = lone.startRefresh();

        lone.advance(3 * HOUR - MINUTE);
        assertThat(lone.status(change)).isEqualTo("Doing");
        assertThat(lone.node.isRefreshing()).isTrue();

        lone.advance(MINUTE);
        assertThat(lone.node.isRefreshing()).isFalse();
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void nodeIsUnreachableAtTheEndOfItsRefreshAndReadyAfterIt() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        String change = lone.startRefresh();

        lone.advance(USUAL_DURATION - 5000);
        assertThat(lone.node.isReachable()).isFalse();
        assertThat(lone.node.isReady()).isFalse();
        assertThat(lone.status(change)).isNull();

        lone.advance(MINUTE);
        assertThat(lone.node.isReachable()).isTrue();
        assertThat(lone.node.isReady()).isTrue();
    }

    @Test
    void secondCallConflictsAndChangesNothing() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.startRefresh();

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
    void nodeAtItsTargetHasNothingToDo() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.startRefresh();
        lone.finishRefresh().advance(MINUTE);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NothingToDo.class);
        assertThat(lone.node.isRefreshing()).isFalse();
    }

    @Test
    void nodeRejectsBadCredentials() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.node.setBadCredentials(true);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.CallRejected.class);
        assertThat(lone.node.isRefreshing()).isFalse();
    }

    @Test
    void unreachableNodeReceivesNoCall() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.node.makeUnreachable(MINUTE);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NotSent.class);
        assertThat(lone.ledger.calls()).isEmpty();
    }

    @Test
    void ledgerCountsARefreshFromTheCallToItsEnd() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.startRefresh();

        assertThat(lone.ledger.inFlight()).isEqualTo(1);
        lone.finishRefresh();
        assertThat(lone.ledger.inFlight()).isZero();
        assertThat(lone.ledger.maxInFlight()).isEqualTo(1);
    }

    @Test
    void nodeRecordsWhichRevisionRanWhen() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.startRefresh();
        lone.finishRefresh();
        long upgraded = lone.scheduler.now();
        lone.advance(HOUR);

        assertThat(lone.node.ranSince(upgraded - 1, new UpgradeTarget.Revision(Integer.toString(OLD))))
                .isTrue();
        assertThat(lone.node.ranSince(upgraded + 1, new UpgradeTarget.Revision(Integer.toString(OLD))))
                .isFalse();
        assertThat(lone.node.ranSince(upgraded + 1, new UpgradeTarget.Revision(Integer.toString(NEW))))
                .isTrue();
    }

    @Test
    void unknownChangeHasNoStatus() {
        assertThat(new SingleNodeFixture(WITHOUT_FAULTS).status("7")).isEmpty();
    }
}
