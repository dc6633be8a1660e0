package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.LoneNode.CALM;
import static dev.flotilla.simulator.node.LoneNode.FAULTS_END;
import static dev.flotilla.simulator.node.LoneNode.HOUR;
import static dev.flotilla.simulator.node.LoneNode.MINUTE;
import static dev.flotilla.simulator.node.LoneNode.NEW;
import static dev.flotilla.simulator.node.LoneNode.OLD;
import static dev.flotilla.simulator.node.LoneNode.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.world.Scheduler;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each way in which a node may misbehave, with nothing else wrong with it. */
class NodeFaultsTest {
    private static final NodeTemper ERRING = new NodeTemper(USUAL, 0, false, 100, 0, 0, 0, 0, 0, 0, 0);
    private static final NodeTemper LYING = new NodeTemper(USUAL, 0, false, 0, 100, 0, 0, 0, 0, 0, 0);
    private static final NodeTemper HANGING = new NodeTemper(USUAL, 0, false, 0, 0, 100, 0, 0, 0, 0, 0);
    private static final NodeTemper REBOOTING = new NodeTemper(USUAL, 0, false, 0, 0, 0, 100, 0, 0, 0, 0);
    private static final NodeTemper FORGETTING = new NodeTemper(USUAL, 0, false, 0, 0, 0, 0, 100, 0, 0, 0);
    private static final NodeTemper LOSING = new NodeTemper(USUAL, 0, false, 0, 0, 0, 0, 0, 100, 0, 0);
    private static final NodeTemper UNREADY = new NodeTemper(USUAL, 0, false, 0, 0, 0, 0, 0, 0, 100, 0);
    private static final NodeTemper DYING = new NodeTemper(USUAL, 0, false, 0, 0, 0, 0, 0, 0, 0, 100);

    @Test
    void anErrorLeavesTheOldRevision() {
        LoneNode lone = new LoneNode(ERRING);
        String change = lone.begin();
        lone.settle();

        assertThat(lone.statusOnceReachable(change)).isIn("Error", "Undone");
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void aLiarSaysDoneAndRunsTheOldRevision() {
        LoneNode lone = new LoneNode(LYING);
        String change = lone.begin();
        lone.settle();

        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(OLD);
    }

    @Test
    void aHangingChangeIsNotOverForHours() {
        Set<String> seen = new HashSet<>();
        for (int seed = 1; seed <= 20; seed++) {
            LoneNode lone = new LoneNode(HANGING, seed);
            String change = lone.begin();
            lone.pass(6 * HOUR - MINUTE);

            seen.add(lone.status(change));
            assertThat(lone.node.busy()).isTrue();
            assertThat(lone.node.revision()).isEqualTo(OLD);
            assertThat(lone.call()).isInstanceOf(CallOutcome.Conflict.class);
        }
        assertThat(seen).containsExactlyInAnyOrder("Doing", "Wait");
    }

    @Test
    void somebodyEndsAHangingChangeSomeDay() {
        LoneNode lone = new LoneNode(HANGING);
        String change = lone.begin();
        lone.pass(6 * HOUR);

        assertThat(lone.statusOnceReachable(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aRebootTakesTheNodeAwayAndItsRefreshGoesOn() {
        LoneNode lone = new LoneNode(REBOOTING);
        String change = lone.begin();

        lone.pass(USUAL / 2 + 1000);
        assertThat(lone.node.reachable()).isFalse();
        assertThat(lone.node.ready()).isFalse();
        assertThat(lone.status(change)).isNull();
        assertThat(lone.node.busy()).isTrue();

        lone.settle().pass(2 * MINUTE);
        assertThat(lone.status(change)).isEqualTo("Done");
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.ready()).isTrue();
    }

    @Test
    void aForgottenChangeIsUnknownThoughItWasDone() {
        LoneNode lone = new LoneNode(FORGETTING);
        String change = lone.begin();
        lone.settle();

        assertThat(lone.statusOnceReachable(change)).isEmpty();
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aLostAnswerIsACallThatWasMade() {
        LoneNode lone = new LoneNode(LOSING);

        assertThat(lone.call()).isInstanceOf(CallOutcome.NoAnswer.class);

        assertThat(lone.node.busy()).isTrue();
        assertThat(lone.ledger.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.effective()).isTrue())
                .satisfies(call -> assertThat(call.told()).isFalse());
    }

    @Test
    void aRefusalIsNeverLost() {
        LoneNode lone = new LoneNode(LOSING);
        lone.node.setBadCredentials(true);

        assertThat(lone.call()).isInstanceOf(CallOutcome.Refused.class);
    }

    @Test
    void aNodeMayBeUnreadyLongAfterItsRefresh() {
        LoneNode lone = new LoneNode(UNREADY);
        lone.begin();
        lone.settle().pass(2 * MINUTE - 1);

        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.node.reachable()).isTrue();
        assertThat(lone.node.ready()).isFalse();
        lone.pass(HOUR);
        assertThat(lone.node.ready()).isTrue();
    }

    @Test
    void aDyingNodeIsGoneInTheMiddleOfItsRefresh() {
        LoneNode lone = new LoneNode(DYING);
        lone.begin();
        lone.settle();

        assertThat(lone.node.gone()).isTrue();
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.scheduler.now()).isLessThanOrEqualTo(Scheduler.BEGIN + USUAL);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void aNodeThatAlwaysFailsDoesSoAfterFaultsHaveEnded() {
        LoneNode lone = new LoneNode(CALM.alwaysFailing());
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
        for (NodeTemper temper :
                new NodeTemper[] {ERRING, LYING, HANGING, REBOOTING, FORGETTING, LOSING, UNREADY, DYING}) {
            LoneNode lone = new LoneNode(temper);
            lone.pass(FAULTS_END - lone.scheduler.now());
            String change = lone.begin();
            lone.pass(USUAL + MINUTE);

            assertThat(lone.status(change)).as("%s", temper).isEqualTo("Done");
            assertThat(lone.node.revision()).isEqualTo(NEW);
            assertThat(lone.node.ready()).isTrue();
        }
    }
}
