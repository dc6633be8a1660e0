package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.IntentStatus.IntentState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** An owner's upgrade whose owner, machines or intent change while it runs. */
class OwnerIntentChangeTest {
    private static final String FIRST = "revision=7";
    private static final String SECOND = "revision=8";
    private static final OwnerKey WORKERS = FleetScenario.deployment("a");
    private static final OwnerKey CONTROL_PLANE = FleetScenario.controlPlane("a");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void anotherTargetCancelsAttemptsBeforeTheirCall() {
        workers(2);
        another(WORKERS, SECOND);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.report("a-w-0", new AttemptReport.Cancelled());
        assertThat(targetsUntilDone()).containsExactly(SECOND, SECOND);
        assertThat(fleetScenario.intentStatus(WORKERS).succeeded()).isEqualTo(2);
    }

    @Test
    void anotherTargetUpgradesAMachineAgainAfterItsRunningRefresh() {
        workers(2);
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        another(WORKERS, SECOND);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isFalse();
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS).currentMachine())
                .as("that machine is in flight for another intent")
                .isNull();
        assertThat(targetsUntilDone()).containsExactly(FIRST, SECOND, SECOND);
        assertThat(fleetScenario.intentStatus(WORKERS).succeeded()).isEqualTo(2);
    }

    @Test
    void anotherTargetNeverPutsTwoMembersOfAControlPlaneInFlight() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.requestUpgrade(CONTROL_PLANE, FIRST);
        fleetScenario.succeed("a-cp-0");
        fleetScenario.step("a-cp-1", AttemptStep.REFRESHING);
        another(CONTROL_PLANE, SECOND);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
        fleetScenario.succeed("a-cp-1");
        for (int i = 0; i < 3; i++) {
            assertThat(fleetScenario.inFlight()).hasSize(1);
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        assertThat(fleetScenario.intentStatus(CONTROL_PLANE).state()).isEqualTo(IntentState.DONE);
    }

    /** Canonical's controller never touches a failed machine again until somebody edits it by hand. */
    @Test
    void anotherTargetRetriesAFailedMachineAtOnce() {
        workers(1);
        fleetScenario.quarantine("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.FAILED);
        another(WORKERS, SECOND);
        assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo(SECOND);
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.IN_PROGRESS);
        assertThat(fleetScenario.intentStatus(WORKERS).lastFailure()).isNull();
    }

    @Test
    void aRemovedIntentCancelsAttemptsBeforeTheirCallAndItsStatus() {
        workers(2);
        fleetScenario.removeIntent(WORKERS);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.rows.get(new RowKey(Table.STATUS, WORKERS))).isInstanceOf(Tombstone.class);
        fleetScenario.report("a-w-0", new AttemptReport.Cancelled());
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aRemovedIntentLetsARunningRefreshEndAndRetriesNothing() {
        workers(2);
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        fleetScenario.removeIntent(WORKERS);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isFalse();
        fleetScenario.fail("a-w-0");
        fleetScenario.advance(Duration.ofHours(2));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.requestUpgrade(WORKERS, FIRST);
        assertThat(fleetScenario.inFlight()).as("a new intent is a new chance").containsExactly("a-w-0");
    }

    @Test
    void aPausedOwnerWaitsAndContinues() {
        workers(2);
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        all(MachineRowBuilder::paused);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.MACHINE_NOT_ELIGIBLE);
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.IN_PROGRESS);
        all(machine -> machine);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void aDeletedOwnerLeavesNoRows() {
        workers(2);
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        all(MachineRowBuilder::deleting);
        fleetScenario.removeIntent(WORKERS);
        for (String machine : List.of("a-w-0", "a-w-1")) {
            delete(machine);
        }
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.state.inFlight()).isZero();
        assertThat(fleetScenario.state.intent(WORKERS)).isNull();
        assertThat(fleetScenario.rows.get(new RowKey(Table.STATUS, WORKERS)) instanceof IntentStatus)
                .isFalse();
    }

    @Test
    void aJoiningMachineIsUpgradedAfterItsOwnerHasScaled() {
        workers(1);
        join("a-w-1", ForeignActivity.SCALING);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.intentStatus(WORKERS).machines()).isEqualTo(2);
        join("a-w-1");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(targetsUntilDone()).containsExactly(FIRST);
    }

    @Test
    void aMachineThatJoinsAFinishedOwnerIsUpgraded() {
        workers(1);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.DONE);
        join("a-w-1");
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.IN_PROGRESS);
        assertThat(fleetScenario.intentStatus(WORKERS).currentMachine()).isEqualTo(FleetScenario.machine("a-w-1"));
    }

    @Test
    void anOwnerDoesNotWaitForAMachineThatLeft() {
        workers(3);
        fleetScenario.succeed("a-w-0");
        delete("a-w-1");
        fleetScenario.report("a-w-1", new AttemptReport.Cancelled());
        assertThat(fleetScenario.inFlight())
                .as("the next machine gets its slot")
                .containsExactly("a-w-2");
        assertThat(fleetScenario.intentStatus(WORKERS).machines()).isEqualTo(2);
        delete("a-w-2");
        fleetScenario.report("a-w-2", new AttemptReport.Cancelled());
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.DONE);
        delete("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS).state())
                .as("an owner scaled to zero waits for its next machine")
                .isEqualTo(IntentState.IN_PROGRESS);
    }

    @Test
    void aMachineThatMovesToAnotherOwnerCountsThere() {
        workers(2);
        fleetScenario.requestUpgrade(FleetScenario.deployment("other"), SECOND);
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-1"))
                .owner(OwnerKind.MACHINE_DEPLOYMENT, "other")
                .build());
        assertThat(fleetScenario.intentStatus(WORKERS).machines()).isEqualTo(1);
        assertThat(fleetScenario.intentStatus(FleetScenario.deployment("other")).machines())
                .isEqualTo(1);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.DONE);
        assertThat(fleetScenario.attempt("a-w-1").target().text()).isEqualTo(SECOND);
    }

    @Test
    void aMachinesIntentGoesBeforeItsOwnersIntent() {
        workers(2);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-1"), SECOND);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.attempt("a-w-1").target().text()).isEqualTo(SECOND);
        assertThat(fleetScenario.intentStatus(WORKERS).currentMachine()).isNull();
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.attempt("a-w-1").target().text()).isEqualTo(FIRST);
        fleetScenario.report(
                "a-w-1", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "7", "v1.33.2"));
        assertThat(fleetScenario.intentStatus(WORKERS).succeeded()).isEqualTo(2);
    }

    @Test
    void anOwnersIntentInterruptsNothingAndGoesBeforeItsClusters() {
        var cluster = fleetScenario.cluster("a", 0, 2);
        fleetScenario.requestUpgrade(cluster, FIRST);
        fleetScenario.advance(Duration.ofSeconds(1));
        fleetScenario.requestUpgrade(WORKERS, SECOND);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isFalse();
        assertThat(fleetScenario.attempt("a-w-0").rolloutRef())
                .isEqualTo(new RolloutRef.IntentRef(cluster, FleetScenario.START));
        fleetScenario.succeed("a-w-0");
        assertThat(targetsUntilDone()).containsExactly(SECOND, SECOND, FIRST);
        assertThat(fleetScenario.outcome("a-w-1")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(fleetScenario.intentStatus(cluster).state()).isEqualTo(IntentState.DONE);
    }

    private void workers(int count) {
        fleetScenario.cluster("a", 0, count);
        fleetScenario.requestUpgrade(WORKERS, FIRST);
    }

    private void another(OwnerKey owner, String target) {
        fleetScenario.advance(Duration.ofSeconds(1));
        fleetScenario.requestUpgrade(owner, target);
    }

    private void join(String name, ForeignActivity... doing) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", name)
                .owner(OwnerKind.MACHINE_DEPLOYMENT, "a")
                .doing(doing)
                .build());
    }

    private void delete(String name) {
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine(name))));
    }

    private void all(UnaryOperator<MachineRowBuilder> change) {
        for (String name : List.of("a-w-0", "a-w-1")) {
            fleetScenario.receive(change.apply(MachineRowBuilder.like(fleetScenario.row(name)))
                    .build());
        }
    }

    /** Lets machines in flight succeed until none is left; returns their targets in the order of their ends. */
    private List<String> targetsUntilDone() {
        List<String> targets = new ArrayList<>();
        while (!fleetScenario.inFlight().isEmpty()) {
            String name = fleetScenario.inFlight().get(0);
            targets.add(fleetScenario.attempt(name).target().text());
            fleetScenario.succeed(name);
        }
        return targets;
    }
}
