package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.SingleNodeFixture.FAULTS_END;
import static dev.flotilla.simulator.node.SingleNodeFixture.HOUR;
import static dev.flotilla.simulator.node.SingleNodeFixture.MINUTE;
import static dev.flotilla.simulator.node.SingleNodeFixture.NEW;
import static dev.flotilla.simulator.node.SingleNodeFixture.OLD;
import static dev.flotilla.simulator.node.SingleNodeFixture.USUAL_DURATION;
import static dev.flotilla.simulator.node.SingleNodeFixture.WITHOUT_FAULTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each fault of a node, alone. */
class NodeFaultsTest {
    private static final NodeFaultProfile ERRING =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 100, 0, 0, 0, 0, 0, 0, 0);
    private static final NodeFaultProfile LYING =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 0, 100, 0, 0, 0, 0, 0, 0);
    private static final NodeFaultProfile HANGING =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 0, 0, 100, 0, 0, 0, 0, 0);
    private static final NodeFaultProfile REBOOTING =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 0, 0, 0, 100, 0, 0, 0, 0);
    private static final NodeFaultProfile FORGETTING =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 0, 0, 0, 0, 100, 0, 0, 0);
    private static final NodeFaultProfile LOSING =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 0, 0, 0, 0, 0, 100, 0, 0);
    private static final NodeFaultProfile UNREADY =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 0, 0, 0, 0, 0, 0, 100, 0);
    private static final NodeFaultProfile DYING =
            new NodeFaultProfile(USUAL_DURATION, 0, false, 0, 0, 0, 0, 0, 0, 0, 100);

    @Test
    void errorLeavesTheOldRevision() {
        SingleNodeFixture lone = new SingleNodeFixture(ERRING);
        String change = lone.startRefresh();
        lone.finishRefresh();

        assertThat(lone.statusOnceReachable(change)).isIn("Error", "Undone");
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void lyingNodeReportsDoneAndRunsTheOldRevision() {
        SingleNodeFixture lone = new SingleNodeFixture(LYING);
        String change = lone.startRefresh();
        lone.finishRefresh();

        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(OLD);
    }

    @Test
    void hangingChangeDoesNotEndForHours() {
        Set<String> seen = new HashSet<>();
        for (int seed = 1; seed <= 20; seed++) {
            SingleNodeFixture lone = new SingleNodeFixture(HANGING, seed);
            String change = lone.startRefresh();
            lone.advance(6 * HOUR - MINUTE);

            seen.add(lone.status(change));
            assertThat(lone.node.isRefreshing()).isTrue();
            assertThat(lone.node.revision()).isEqualTo(OLD);
            assertThat(lone.call()).isInstanceOf(RefreshCallResult.NodeBusy.class);
        }
        assertThat(seen).containsExactlyInAnyOrder("Doing", "Wait");
    }

    @Test
    void operatorEndsAHangingChange() {
        SingleNodeFixture lone = new SingleNodeFixture(HANGING);
        String change = lone.startRefresh();
        lone.advance(6 * HOUR);

        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void rebootMakesTheNodeUnreachableAndItsRefreshContinues() {
        SingleNodeFixture lone = new SingleNodeFixture(REBOOTING);
        String change = lone.startRefresh();

        lone.advance(USUAL_DURATION / 2 + 1000);
        assertThat(lone.node.isReachable()).isFalse();
        assertThat(lone.node.isReady()).isFalse();
        assertThat(lone.status(change)).isNull();
        assertThat(lone.node.isRefreshing()).isTrue();

        lone.finishRefresh().advance(2 * MINUTE);
        assertThat(lone.status(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.isReady()).isTrue();
    }

    @Test
    void forgottenChangeIsUnknownAlthoughItIsDone() {
        SingleNodeFixture lone = new SingleNodeFixture(FORGETTING);
        String change = lone.startRefresh();
        lone.finishRefresh();

        assertThat(lone.statusOnceReachable(change)).isEmpty();
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void callWithALostResponseIsExecuted() {
        SingleNodeFixture lone = new SingleNodeFixture(LOSING);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NoAnswer.class);

        assertThat(lone.node.isRefreshing()).isTrue();
        assertThat(lone.ledger.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.effective()).isTrue())
                .satisfies(call -> assertThat(call.responseDelivered()).isFalse());
    }

    @Test
    void rejectionIsNeverLost() {
        SingleNodeFixture lone = new SingleNodeFixture(LOSING);
        lone.node.setBadCredentials(true);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.CallRejected.class);
    }

    @Test
    void nodeMayBeUnreadyLongAfterItsRefresh() {
        SingleNodeFixture lone = new SingleNodeFixture(UNREADY);
        lone.startRefresh();
        lone.finishRefresh().advance(2 * MINUTE - 1);

        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.isReachable()).isTrue();
        assertThat(lone.node.isReady()).isFalse();
        lone.advance(HOUR);
        assertThat(lone.node.isReady()).isTrue();
    }

    @Test
    void dyingNodeIsRemovedDuringItsRefresh() {
        SingleNodeFixture lone = new SingleNodeFixture(DYING);
        lone.startRefresh();
        lone.finishRefresh();

        assertThat(lone.node.isRemoved()).isTrue();
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.scheduler.now()).isLessThanOrEqualTo(VirtualClockScheduler.BEGIN + USUAL_DURATION);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void alwaysFailingNodeFailsAfterFaultsHaveEnded() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS.alwaysFailing());
        lone.advance(FAULTS_END - lone.scheduler.now());

        for (int i = 0; i < 3; i++) {
            String change = lone.startRefresh();
            lone.finishRefresh();
            assertThat(lone.statusOnceReachable(change)).isIn("Error", "Undone");
            assertThat(lone.node.revision()).isEqualTo(OLD);
            lone.advance(MINUTE);
        }
    }

    @Test
    void otherFaultsEndWithTheFaultPeriod() {
        for (NodeFaultProfile faultProfile :
                new NodeFaultProfile[] {ERRING, LYING, HANGING, REBOOTING, FORGETTING, LOSING, UNREADY, DYING}) {
            SingleNodeFixture lone = new SingleNodeFixture(faultProfile);
            lone.advance(FAULTS_END - lone.scheduler.now());
            String change = lone.startRefresh();
            lone.advance(USUAL_DURATION + MINUTE);

            assertThat(lone.status(change)).as("%s", faultProfile).isEqualTo("Done");
            assertThat(lone.node.revision()).isEqualTo(NEW);
            assertThat(lone.node.isReady()).isTrue();
        }
    }
}
