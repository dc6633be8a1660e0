package dev.flotilla.simulator.inplace;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.inplace.InPlaceCluster.InPlaceMachine;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.List;
import java.util.Objects;

/** The node workers of a world: they upgrade a node at once, or report that it failed. */
final class InPlaceWorkers {
    private static final int MAX_ROUNDS = 80;

    private final InPlaceScene world;
    private final SeededRandom chance;
    private final InPlaceAccidents accidents;

    InPlaceWorkers(InPlaceScene world, SeededRandom chance, InPlaceAccidents accidents) {
        this.world = world;
        this.chance = chance;
        this.accidents = accidents;
    }

    List<InPlaceMachine> inFlight() {
        return world.clusters().stream()
                .flatMap(cluster -> cluster.machines.stream())
                .filter(machine -> {
                    MachineStatus status =
                            world.invariants().rows().row(Table.STATUS, machine.key, MachineStatus.class);
                    return status != null && status.attempt() != null;
                })
                .toList();
    }

    /** Reports of one machine in flight. */
    void reportAny() {
        List<InPlaceMachine> running = inFlight();
        if (!running.isEmpty()) {
            report(chance.pick(running), chance.below(100));
        }
    }

    private MachineStatus statusOf(InPlaceMachine machine) {
        return Objects.requireNonNull(world.invariants().rows().row(Table.STATUS, machine.key, MachineStatus.class));
    }

    private void report(InPlaceMachine machine, int drawn) {
        MachineStatus status = statusOf(machine);
        UpgradeAttempt attempt = Objects.requireNonNull(status.attempt());
        if (attempt.state() instanceof AttemptState.Admitted admitted
                && !world.now().isBefore(admitted.leaseExpiresAt())) {
            // A worker makes no call after its lease has ended: the orchestrator renews it, or gives the attempt up.
            return;
        }
        if (!status.uid().equals(machine.uid())) {
            reportOfDeleted(status, attempt);
        } else if (machine.calling == attempt.id()) {
            endCall(machine, attempt, drawn);
        } else if (attempt.cancelled()) {
            report(machine, attempt, new AttemptReport.Cancelled());
        } else if (isAt(machine, attempt)) {
            report(
                    machine,
                    attempt,
                    new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, null, machine.version));
            world.markChanged(machine);
        } else if (versionOf(machine, attempt).compareTo(machine.version) < 0) {
            report(machine, attempt, new AttemptReport.Deferred("the node shows a newer version"));
            world.markChanged(machine);
        } else if (drawn >= 92) {
            report(machine, attempt, failure(drawn));
        } else {
            machine.calling = attempt.id();
            machine.callingTo = versionOf(machine, attempt);
            report(machine, attempt, new AttemptReport.StepReached(AttemptStep.STARTING, null));
            if (!accidents.callTakesLonger()) {
                endCall(machine, attempt, drawn);
            }
        }
    }

    /** The Machine of an attempt was deleted: its worker gives up. */
    private void reportOfDeleted(MachineStatus status, UpgradeAttempt attempt) {
        if (attempt.cancelled() || attempt.mayHaveCalled()) {
            AttemptReport report = attempt.mayHaveCalled()
                    ? new AttemptReport.Failed(FailureClass.LOST, FailureReason.CHANGE_LOST, "its Machine is gone")
                    : new AttemptReport.Cancelled();
            world.receive(new AttemptProgress(status.key(), status.uid(), attempt.id(), report, world.now()));
        }
    }

    private static AttemptReport failure(int drawn) {
        return new AttemptReport.Failed(
                drawn >= 97 ? FailureClass.TERMINAL : FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "no");
    }

    private void endCall(InPlaceMachine machine, UpgradeAttempt attempt, int drawn) {
        machine.calling = 0;
        if (attempt.cancelled() && drawn % 2 == 0) {
            report(machine, attempt, new AttemptReport.Aborted("stopped between two steps"));
            return;
        }
        if (drawn >= 92) {
            report(machine, attempt, failure(drawn));
            return;
        }
        world.invariants().checkUpgrade(machine, attempt);
        machine.version = machine.callingTo;
        machine.reached = attempt.target() instanceof UpgradeTarget.MachineSpecHash ? attempt.target() : null;
        report(
                machine,
                attempt,
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, null, machine.version));
        world.markChanged(machine);
    }

    /** The version that a node has after an attempt: with a hash what the worker's command expects. */
    private String versionOf(InPlaceMachine machine, UpgradeAttempt attempt) {
        return attempt.target() instanceof UpgradeTarget.KubernetesRelease release
                ? release.version()
                : Objects.requireNonNull(world.invariants().rows().expectedVersion(machine.key));
    }

    /** Whether a node shows that it is at the target of an attempt: none shows which hash was applied to it. */
    private static boolean isAt(InPlaceMachine machine, UpgradeAttempt attempt) {
        return attempt.target().equals(new UpgradeTarget.KubernetesRelease(machine.version));
    }

    private void report(InPlaceMachine machine, UpgradeAttempt attempt, AttemptReport report) {
        world.receive(new AttemptProgress(machine.key, machine.uid(), attempt.id(), report, world.now()));
    }

    /** Reports what is in flight, and what starts by that, until nothing is in flight that may still call. */
    void reportAll() {
        for (int i = 0; i < MAX_ROUNDS && !inFlight().isEmpty(); i++) {
            inFlight().forEach(machine -> report(machine, 0));
            world.publishAll();
        }
    }
}
