package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.SingleNodeFixture.CALM;
import static dev.flotilla.simulator.node.SingleNodeFixture.MINUTE;
import static dev.flotilla.simulator.node.SingleNodeFixture.NEW;
import static dev.flotilla.simulator.node.SingleNodeFixture.OLD;
import static dev.flotilla.simulator.node.SingleNodeFixture.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to a node without a call of ours: it refreshes by itself, vanishes, is mended. */
class UnsolicitedNodeChangesTest {

    @Test
    void aRefreshByItselfIsNoCallOfOurs() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.node.startUnsolicitedRefresh(NEW);

        assertThat(lone.node.isRefreshing()).isTrue();
        lone.settle();
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.ledger.calls()).isEmpty();
        assertThat(lone.ledger.maxInFlight()).isZero();
    }

    @Test
    void aCallDuringARefreshByItselfIsAConflict() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.node.startUnsolicitedRefresh(NEW);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NodeBusy.class);
    }

    @Test
    void aNodeThatIsBusyDoesNotRefreshByItself() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.begin();
        lone.node.startUnsolicitedRefresh(NEW + 1);
        lone.settle();

        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aNodeThatAlwaysFailsStillRefreshesByItself() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM.alwaysFailing());
        lone.node.startUnsolicitedRefresh(NEW);
        lone.settle();

        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aVanishedNodeAnswersNobodyAndEndsNothing() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        String change = lone.begin();
        lone.pass(MINUTE);
        lone.node.removeMachine();

        assertThat(lone.node.isRemoved()).isTrue();
        assertThat(lone.node.isReady()).isFalse();
        assertThat(lone.node.isRefreshing()).isFalse();
        assertThat(lone.status(change)).isNull();
        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NotSent.class);
        assertThat(lone.ledger.inFlight()).isZero();
        lone.pass(2 * USUAL);
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void aVanishedNodeDoesNotRefreshByItself() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.node.removeMachine();
        lone.node.startUnsolicitedRefresh(NEW);

        assertThat(lone.node.isRefreshing()).isFalse();
    }

    @Test
    void aMendedNodeAnswersAgain() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        lone.node.setBadCredentials(true);
        lone.node.makeUnreachable(USUAL);

        lone.node.repair();

        assertThat(lone.node.isReady()).isTrue();
        assertThat(lone.call()).isInstanceOf(RefreshCallResult.ChangeStarted.class);
    }

    @Test
    void whoWatchesANodeIsToldWhenSomethingChanges() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM);
        List<String> seen = new ArrayList<>();
        lone.node.watch(() -> seen.add(lone.node.revision() + (lone.node.isReady() ? " ready" : " not ready")));
        lone.begin();
        lone.settle().pass(MINUTE);

        assertThat(seen).containsExactly(OLD + " not ready", NEW + " not ready", NEW + " ready");
    }

    @Test
    void equalSeedsGiveEqualNodes() {
        NodeFaultProfile varying = NodeFaultProfile.withoutFaults(USUAL, 80);
        List<Long> ends = new ArrayList<>();
        for (int seed : new int[] {5, 5, 6}) {
            SingleNodeFixture lone = new SingleNodeFixture(varying, seed);
            lone.begin();
            ends.add(lone.settle().scheduler.now());
        }
        assertThat(ends.get(0)).isEqualTo(ends.get(1)).isNotEqualTo(ends.get(2));
    }
}
