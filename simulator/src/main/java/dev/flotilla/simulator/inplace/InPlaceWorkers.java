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

    InPlaceWorkers(InPlaceScene world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
    }

    List<InPlaceMachine> inFlight() {
        return world.clusters().stream()
                .flatMap(cluster -> cluster.machines.stream())
                .filter(machine -> {
                    MachineStatus status = world.invariants().row(Table.STATUS, machine.key, MachineStatus.class);
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

    private void report(InPlaceMachine machine, int drawn) {
        UpgradeAttempt attempt = Objects.requireNonNull(
                Objects.requireNonNull(world.invariants().row(Table.STATUS, machine.key, MachineStatus.class))
                        .attempt());
        if (attempt.state() instanceof AttemptState.Admitted admitted
                && !world.now().isBefore(admitted.leaseExpiresAt())) {
            // A worker makes no call after its lease has ended: the orchestrator renews it, or gives the attempt up.
            return;
        }
        if (attempt.cancelled()) {
            report(machine, attempt, new AttemptReport.Cancelled());
        } else if (drawn >= 92 && !isAt(machine, attempt)) {
            report(
                    machine,
                    attempt,
                    new AttemptReport.Failed(
                            drawn >= 97 ? FailureClass.TERMINAL : FailureClass.RETRYABLE,
                            FailureReason.REFRESH_ERROR,
                            "no"));
        } else {
            boolean changes = !isAt(machine, attempt);
            if (changes) {
                report(machine, attempt, new AttemptReport.StepReached(AttemptStep.STARTING, null));
                world.invariants().checkUpgrade(machine, attempt);
                machine.version = versionOf(machine, attempt);
            }
            report(
                    machine,
                    attempt,
                    new AttemptReport.Succeeded(
                            changes ? AttemptReport.SuccessProof.UPGRADED : AttemptReport.SuccessProof.UNCHANGED,
                            null,
                            machine.version));
            world.markChanged(machine);
        }
    }

    /** The version that a node has after an attempt: with a hash what the worker's command expects. */
    private String versionOf(InPlaceMachine machine, UpgradeAttempt attempt) {
        return attempt.target() instanceof UpgradeTarget.KubernetesRelease release
                ? release.version()
                : Objects.requireNonNull(world.invariants().expectedVersion(machine.key));
    }

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
