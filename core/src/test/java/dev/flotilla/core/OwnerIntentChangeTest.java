package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.IntentStatus.IntentState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What becomes of an owner's upgrade when the owner, its machines or what is asked of it change in the middle. */
class OwnerIntentChangeTest {
    private static final String FIRST = "revision=7";
    private static final String SECOND = "revision=8";
    private static final OwnerKey WORKERS = Scene.deployment("a");
    private static final OwnerKey CONTROL_PLANE = Scene.controlPlane("a");

    private final Scene scene = Scene.open();

    @Test
    void anotherTargetTakesBackWhatHasNotCalled() {
        workers(2);
        another(WORKERS, SECOND);
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.report("a-w-0", new AttemptReport.Cancelled());
        assertThat(targetsUntilDone()).containsExactly(SECOND, SECOND);
        assertThat(scene.shown(WORKERS).succeeded()).isEqualTo(2);
    }

    @Test
    void anotherTargetLetsARunningRefreshEndAndThenTakesTheMachineAgain() {
        workers(2);
        scene.step("a-w-0", AttemptStep.REFRESHING);
        another(WORKERS, SECOND);
        assertThat(scene.attempt("a-w-0").cancelled()).isFalse();
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        assertThat(scene.shown(WORKERS).currentMachine())
                .as("that machine is at work for another wish")
                .isNull();
        assertThat(targetsUntilDone()).containsExactly(FIRST, SECOND, SECOND);
        assertThat(scene.shown(WORKERS).succeeded()).isEqualTo(2);
    }

    @Test
    void anotherTargetNeverPutsTwoMembersOfAControlPlaneInFlight() {
        scene.cluster("a", 3, 0);
        scene.ask(CONTROL_PLANE, FIRST);
        scene.succeed("a-cp-0");
        scene.step("a-cp-1", AttemptStep.REFRESHING);
        another(CONTROL_PLANE, SECOND);
        assertThat(scene.inFlight()).containsExactly("a-cp-1");
        scene.succeed("a-cp-1");
        for (int i = 0; i < 3; i++) {
            assertThat(scene.inFlight()).hasSize(1);
            scene.succeed(scene.inFlight().get(0));
        }
        assertThat(scene.shown(CONTROL_PLANE).state()).isEqualTo(IntentState.DONE);
    }

    /** There a machine that has failed is never touched again until somebody edits it by hand. */
    @Test
    void anotherTargetGivesAMachineThatHasFailedANewChanceAtOnce() {
        workers(1);
        scene.failForGood("a-w-0");
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.FAILED);
        another(WORKERS, SECOND);
        assertThat(scene.attempt("a-w-0").target().text()).isEqualTo(SECOND);
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.IN_PROGRESS);
        assertThat(scene.shown(WORKERS).lastFailure()).isNull();
    }

    @Test
    void aWishThatIsTakenBackCancelsWhatHasNotCalledAndShowsNothingMore() {
        workers(2);
        scene.takeBack(WORKERS);
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        assertThat(scene.rows.get(new RowKey(Table.STATUS, WORKERS))).isInstanceOf(Tombstone.class);
        scene.report("a-w-0", new AttemptReport.Cancelled());
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void aWishThatIsTakenBackLeavesARunningRefreshAloneAndTriesNothingAgain() {
        workers(2);
        scene.step("a-w-0", AttemptStep.REFRESHING);
        scene.takeBack(WORKERS);
        assertThat(scene.attempt("a-w-0").cancelled()).isFalse();
        scene.fail("a-w-0");
        scene.pass(Duration.ofHours(2));
        assertThat(scene.inFlight()).isEmpty();
        scene.ask(WORKERS, FIRST);
        assertThat(scene.inFlight()).as("a new wish is a new chance").containsExactly("a-w-0");
    }

    @Test
    void anOwnerThatIsPausedWaitsAndGoesOn() {
        workers(2);
        scene.step("a-w-0", AttemptStep.REFRESHING);
        all(MachineBuilder::paused);
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.MACHINE);
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.IN_PROGRESS);
        all(machine -> machine);
        assertThat(scene.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void anOwnerThatIsDeletedWithItsMachinesLeavesNothingBehind() {
        workers(2);
        scene.step("a-w-0", AttemptStep.REFRESHING);
        all(MachineBuilder::deleting);
        scene.takeBack(WORKERS);
        for (String machine : List.of("a-w-0", "a-w-1")) {
            gone(machine);
        }
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.state.inFlight()).isZero();
        assertThat(scene.state.intent(WORKERS)).isNull();
        assertThat(scene.rows.get(new RowKey(Table.STATUS, WORKERS)) instanceof IntentStatus)
                .isFalse();
    }

    @Test
    void aMachineThatJoinsInTheMiddleIsUpgradedOnceItsOwnerHasScaled() {
        workers(1);
        join("a-w-1", ForeignActivity.SCALING);
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.shown(WORKERS).machines()).isEqualTo(2);
        join("a-w-1");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(targetsUntilDone()).containsExactly(FIRST);
    }

    @Test
    void aMachineThatJoinsWhenAllIsDoneOpensItAgain() {
        workers(1);
        scene.succeed("a-w-0");
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.DONE);
        join("a-w-1");
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.IN_PROGRESS);
        assertThat(scene.shown(WORKERS).currentMachine()).isEqualTo(Scene.machine("a-w-1"));
    }

    @Test
    void aMachineThatLeavesInTheMiddleIsWaitedForNoMore() {
        workers(3);
        scene.succeed("a-w-0");
        gone("a-w-1");
        scene.report("a-w-1", new AttemptReport.Cancelled());
        assertThat(scene.inFlight()).as("its place goes to the next").containsExactly("a-w-2");
        assertThat(scene.shown(WORKERS).machines()).isEqualTo(2);
        gone("a-w-2");
        scene.report("a-w-2", new AttemptReport.Cancelled());
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.DONE);
        gone("a-w-0");
        assertThat(scene.shown(WORKERS).state())
                .as("scaled to nothing it waits for the next")
                .isEqualTo(IntentState.IN_PROGRESS);
    }

    @Test
    void aMachineThatGoesToAnotherOwnerCountsThere() {
        workers(2);
        scene.ask(Scene.deployment("other"), SECOND);
        scene.arrive(MachineBuilder.like(scene.row("a-w-1"))
                .owner(OwnerKind.MACHINE_DEPLOYMENT, "other")
                .build());
        assertThat(scene.shown(WORKERS).machines()).isEqualTo(1);
        assertThat(scene.shown(Scene.deployment("other")).machines()).isEqualTo(1);
        scene.succeed("a-w-0");
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.DONE);
        assertThat(scene.attempt("a-w-1").target().text()).isEqualTo(SECOND);
    }

    @Test
    void aMachinesOwnWishInTheMiddleGoesFirstAndTheOwnersStillComes() {
        workers(2);
        scene.ask(Scene.machine("a-w-1"), SECOND);
        scene.succeed("a-w-0");
        assertThat(scene.attempt("a-w-1").target().text()).isEqualTo(SECOND);
        assertThat(scene.shown(WORKERS).currentMachine()).isNull();
        scene.succeed("a-w-1");
        assertThat(scene.attempt("a-w-1").target().text()).isEqualTo(FIRST);
        scene.report("a-w-1", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "7", "v1.33.2"));
        assertThat(scene.shown(WORKERS).succeeded()).isEqualTo(2);
    }

    @Test
    void anOwnersWishInTheMiddleOfItsClustersInterruptsNothingAndGoesNext() {
        var cluster = scene.cluster("a", 0, 2);
        scene.ask(cluster, FIRST);
        scene.pass(Duration.ofSeconds(1));
        scene.ask(WORKERS, SECOND);
        assertThat(scene.attempt("a-w-0").cancelled()).isFalse();
        assertThat(scene.attempt("a-w-0").rolloutRef()).isEqualTo(new RolloutRef.IntentRef(cluster, Scene.START));
        scene.succeed("a-w-0");
        assertThat(targetsUntilDone()).containsExactly(SECOND, SECOND, FIRST);
        assertThat(scene.outcome("a-w-1")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(scene.shown(cluster).state()).isEqualTo(IntentState.DONE);
    }

    private void workers(int count) {
        scene.cluster("a", 0, count);
        scene.ask(WORKERS, FIRST);
    }

    private void another(OwnerKey owner, String target) {
        scene.pass(Duration.ofSeconds(1));
        scene.ask(owner, target);
    }

    private void join(String name, ForeignActivity... doing) {
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", name)
                .owner(OwnerKind.MACHINE_DEPLOYMENT, "a")
                .doing(doing)
                .build());
    }

    private void gone(String name) {
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine(name))));
    }

    private void all(UnaryOperator<MachineBuilder> change) {
        for (String name : List.of("a-w-0", "a-w-1")) {
            scene.arrive(change.apply(MachineBuilder.like(scene.row(name))).build());
        }
    }

    /** Lets whatever is in flight succeed until nothing is; returns the targets in the order of their ends. */
    private List<String> targetsUntilDone() {
        List<String> targets = new ArrayList<>();
        while (!scene.inFlight().isEmpty()) {
            String name = scene.inFlight().get(0);
            targets.add(scene.attempt(name).target().text());
            scene.succeed(name);
        }
        return targets;
    }
}
