package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.SingleNodeFixture.CALM;
import static dev.flotilla.simulator.node.SingleNodeFixture.FAULTS_END;
import static dev.flotilla.simulator.node.SingleNodeFixture.HOUR;
import static dev.flotilla.simulator.node.SingleNodeFixture.MINUTE;
import static dev.flotilla.simulator.node.SingleNodeFixture.NEW;
import static dev.flotilla.simulator.node.SingleNodeFixture.OLD;
import static dev.flotilla.simulator.node.SingleNodeFixture.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each way in which a node may misbehave, with nothing else wrong with it. */
class NodeFaultsTest {
    private static final NodeFaultProfile ERRING = new NodeFaultProfile(USUAL, 0, false, 100, 0, 0, 0, 0, 0, 0, 0);
    private static final NodeFaultProfile LYING = new NodeFaultProfile(USUAL, 0, false, 0, 100, 0, 0, 0, 0, 0, 0);
    private static final NodeFaultProfile HANGING = new NodeFaultProfile(USUAL, 0, false, 0, 0, 100, 0, 0, 0, 0, 0);
    private static final NodeFaultProfile REBOOTING = new NodeFaultProfile(USUAL, 0, false, 0, 0, 0, 100, 0, 0, 0, 0);
    private static final NodeFaultProfile FORGETTING = new NodeFaultProfile(USUAL, 0, false, 0, 0, 0, 0, 100, 0, 0, 0);
    private static final NodeFaultProfile LOSING = new NodeFaultProfile(USUAL, 0, false, 0, 0, 0, 0, 0, 100, 0, 0);
    private static final NodeFaultProfile UNREADY = new NodeFaultProfile(USUAL, 0, false, 0, 0, 0, 0, 0, 0, 100, 0);
    private static final NodeFaultProfile DYING = new NodeFaultProfile(USUAL, 0, false, 0, 0, 0, 0, 0, 0, 0, 100);

    @Test
    void anErrorLeavesTheOldRevision() {
        SingleNodeFixture lone = new SingleNodeFixture(ERRING);
        String change = lone.begin();
        lone.settle();

        assertThat(lone.statusOnceReachable(change)).isIn("Error", "Undone");
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void aLiarSaysDoneAndRunsTheOldRevision() {
        SingleNodeFixture lone = new SingleNodeFixture(LYING);
        String change = lone.begin();
        lone.settle();

        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(OLD);
    }

    @Test
    void aHangingChangeIsNotOverForHours() {
        Set<String> seen = new HashSet<>();
        for (int seed = 1; seed <= 20; seed++) {
            SingleNodeFixture lone = new SingleNodeFixture(HANGING, seed);
            String change = lone.begin();
            lone.pass(6 * HOUR - MINUTE);

            seen.add(lone.status(change));
            assertThat(lone.node.isRefreshing()).isTrue();
            assertThat(lone.node.revision()).isEqualTo(OLD);
            assertThat(lone.call()).isInstanceOf(RefreshCallResult.NodeBusy.class);
        }
        assertThat(seen).containsExactlyInAnyOrder("Doing", "Wait");
    }

    @Test
    void somebodyEndsAHangingChangeSomeDay() {
        SingleNodeFixture lone = new SingleNodeFixture(HANGING);
        String change = lone.begin();
        lone.pass(6 * HOUR);

        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aRebootTakesTheNodeAwayAndItsRefreshGoesOn() {
        SingleNodeFixture lone = new SingleNodeFixture(REBOOTING);
        String change = lone.begin();

        lone.pass(USUAL / 2 + 1000);
        assertThat(lone.node.isReachable()).isFalse();
        assertThat(lone.node.isReady()).isFalse();
        assertThat(lone.status(change)).isNull();
        assertThat(lone.node.isRefreshing()).isTrue();

        lone.settle().pass(2 * MINUTE);
        assertThat(lone.status(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.isReady()).isTrue();
    }

    @Test
    void aForgottenChangeIsUnknownThoughItWasDone() {
        SingleNodeFixture lone = new SingleNodeFixture(FORGETTING);
        String change = lone.begin();
        lone.settle();

        assertThat(lone.statusOnceReachable(change)).isEmpty();
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aLostAnswerIsACallThatWasMade() {
        SingleNodeFixture lone = new SingleNodeFixture(LOSING);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.NoAnswer.class);

        assertThat(lone.node.isRefreshing()).isTrue();
        assertThat(lone.ledger.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.effective()).isTrue())
                .satisfies(call -> assertThat(call.responseDelivered()).isFalse());
    }

    @Test
    void aRefusalIsNeverLost() {
        SingleNodeFixture lone = new SingleNodeFixture(LOSING);
        lone.node.setBadCredentials(true);

        assertThat(lone.call()).isInstanceOf(RefreshCallResult.CallRejected.class);
    }

    @Test
    void aNodeMayBeUnreadyLongAfterItsRefresh() {
        SingleNodeFixture lone = new SingleNodeFixture(UNREADY);
        lone.begin();
        lone.settle().pass(2 * MINUTE - 1);

        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.isReachable()).isTrue();
        assertThat(lone.node.isReady()).isFalse();
        lone.pass(HOUR);
        assertThat(lone.node.isReady()).isTrue();
    }

    @Test
    void aDyingNodeIsGoneInTheMiddleOfItsRefresh() {
        SingleNodeFixture lone = new SingleNodeFixture(DYING);
        lone.begin();
        lone.settle();

        assertThat(lone.node.isRemoved()).isTrue();
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.scheduler.now()).isLessThanOrEqualTo(VirtualClockScheduler.BEGIN + USUAL);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void aNodeThatAlwaysFailsDoesSoAfterFaultsHaveEnded() {
        SingleNodeFixture lone = new SingleNodeFixture(CALM.alwaysFailing());
        lone.pass(FAULTS_END - lone.scheduler.now());

        for (int i = 0; i < 3; i++) {
            String change = lone.begin();
            lone.settle();
            assertThat(lone.statusOnceReachable(change)).isIn("Error", "Undone");
            assertThat(lone.node.revision()).isEqualTo(OLD);
            lone.pass(MINUTE);
        }
    }

    @Test
    void everyOtherFaultEndsWithTheFaults() {
        for (NodeFaultProfile temper :
                new NodeFaultProfile[] {ERRING, LYING, HANGING, REBOOTING, FORGETTING, LOSING, UNREADY, DYING}) {
            SingleNodeFixture lone = new SingleNodeFixture(temper);
            lone.pass(FAULTS_END - lone.scheduler.now());
            String change = lone.begin();
            lone.pass(USUAL + MINUTE);

            assertThat(lone.status(change)).as("%s", temper).isEqualTo("Done");
            assertThat(lone.node.revision()).isEqualTo(NEW);
            assertThat(lone.node.isReady()).isTrue();
        }
    }
}
