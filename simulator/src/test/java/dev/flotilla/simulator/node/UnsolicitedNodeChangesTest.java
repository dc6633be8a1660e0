package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.SingleNodeFixture.MINUTE;
import static dev.flotilla.simulator.node.SingleNodeFixture.NEW;
import static dev.flotilla.simulator.node.SingleNodeFixture.OLD;
import static dev.flotilla.simulator.node.SingleNodeFixture.USUAL_DURATION;
import static dev.flotilla.simulator.node.SingleNodeFixture.WITHOUT_FAULTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to a node without a call: it refreshes unsolicited, is removed, or is repaired. */
class UnsolicitedNodeChangesTest {

    @Test
    void unsolicitedRefreshIsNoCall() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.node.startUnsolicitedRefresh(NEW);

        assertThat(lone.node.isRefreshing()).isTrue();
        lone.finishRefresh();
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.ledger.calls()).isEmpty();
        assertThat(lone.ledger.maxInFlight()).isZero();
    }

    @Test
    void callDuringAnUnsolicitedRefreshConflicts() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.node.startUnsolicitedRefresh(NEW);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NodeBusy.class);
    }

    @Test
    void busyNodeStartsNoUnsolicitedRefresh() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.startRefresh();
        lone.node.startUnsolicitedRefresh(NEW + 1);
        lone.finishRefresh();

        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void alwaysFailingNodeStillRefreshesUnsolicited() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS.alwaysFailing());
        lone.node.startUnsolicitedRefresh(NEW);
        lone.finishRefresh();

        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void removedNodeAnswersNothingAndEndsNoChange() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        String change = lone.startRefresh();
        lone.advance(MINUTE);
        lone.node.removeMachine();

        assertThat(lone.node.isRemoved()).isTrue();
        assertThat(lone.node.isReady()).isFalse();
        assertThat(lone.node.isRefreshing()).isFalse();
        assertThat(lone.status(change)).isNull();
        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NotSent.class);
        assertThat(lone.ledger.inFlight()).isZero();
        lone.advance(2 * USUAL_DURATION);
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void removedNodeStartsNoUnsolicitedRefresh() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.node.removeMachine();
        lone.node.startUnsolicitedRefresh(NEW);

        assertThat(lone.node.isRefreshing()).isFalse();
    }

    @Test
    void repairedNodeAnswersAgain() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        lone.node.setBadCredentials(true);
        lone.node.makeUnreachable(USUAL_DURATION);

        lone.node.repair();

        assertThat(lone.node.isReady()).isTrue();
        assertThat(lone.call()).isInstanceOf(RefreshCallResult.ChangeStarted.class);
    }

    @Test
    void watcherIsNotifiedOfEachChange() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        List<String> seen = new ArrayList<>();
        lone.node.watch(() -> seen.add(lone.node.revision() + (lone.node.isReady() ? " ready" : " not ready")));
        lone.startRefresh();
        lone.finishRefresh().advance(MINUTE);

        assertThat(seen).containsExactly(OLD + " not ready", NEW + " not ready", NEW + " ready");
    }

    @Test
    void equalSeedsGiveEqualNodes() {
        NodeFaultProfile varying = NodeFaultProfile.withoutFaults(USUAL_DURATION, 80);
        List<Long> ends = new ArrayList<>();
        for (int seed : new int[] {5, 5, 6}) {
            SingleNodeFixture lone = new SingleNodeFixture(varying, seed);
            lone.startRefresh();
            ends.add(lone.finishRefresh().scheduler.now());
        }
        assertThat(ends.get(0)).isEqualTo(ends.get(1)).isNotEqualTo(ends.get(2));
    }
}
