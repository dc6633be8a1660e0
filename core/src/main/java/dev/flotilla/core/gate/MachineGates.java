package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.StartDeferral;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The gates of one machine. */
final class MachineGates {
    private MachineGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> ineligibleReason(c.machine()) == null,
                        c -> new ClosedGate(
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                String.valueOf(ineligibleReason(c.machine())),
                                "eligible",
                                "The machine " + ineligibleReason(c.machine()) + ".",
                                null,
                                needsPerson(c.machine()))),
                ProviderGate.gate(),
                LocalPathGate.gate(),
                VersionSkewGate.gate(),
                new Gate(
                        GateLabel.BACKOFF,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> {
                            Instant retryAt = retryAt(c);
                            return retryAt == null || !c.now().isBefore(retryAt);
                        },
                        c -> new ClosedGate(
                                GateLabel.BACKOFF,
                                c.now().toString(),
                                String.valueOf(retryAt(c)),
                                describeDeferral(c) + "The next attempt starts at " + retryAt(c) + ".",
                                retryAt(c))));
    }

    private static @Nullable String ineligibleReason(MachineView machine) {
        if (machine.unreadable()) {
            return "has an inventory row that cannot be read, or a decision that fails (see flotilla rejected list)";
        }
        if (!machine.isPresent()) {
            return "has no inventory row";
        }
        if (machine.attempt() != null) {
            return "has an open attempt";
        }
        if (machine.deleting()) {
            return "is being deleted";
        }
        if (!machine.hasNode()) {
            return "has no node";
        }
        if (machine.hold()) {
            return "is on hold";
        }
        if (machine.paused()) {
            return "is paused";
        }
        ForeignActivity foreignActivity = machine.activity();
        if (foreignActivity != null) {
            return switch (foreignActivity) {
                case FOREIGN -> "is being upgraded by another controller";
                case ROLLING -> "has an owner that is rolling its machines";
                case SCALING -> "has an owner that is scaling";
                case REMEDIATION -> "is being remediated";
                case CERTIFICATES -> "is having its certificates refreshed";
            };
        }
        MachineView duplicate = machine.yieldsTo();
        return duplicate == null
                ? null
                : "has the same node as machine " + duplicate.key() + ", which "
                        + (duplicate.attempt() != null ? "is being upgraded" : "was upgraded before")
                        + ": remove the machine from one of the two sites";
    }

    /** Whether a person must act before the machine is eligible. */
    private static boolean needsPerson(MachineView machine) {
        return machine.unreadable() || machine.hold() || machine.paused() || machine.yieldsTo() != null;
    }

    private static String describeDeferral(StartCandidate c) {
        StartDeferral deferral = c.machine().deferral(c.rolloutRef());
        if (deferral == null) {
            return "";
        }
        String times = deferral.count() == 1 ? "once" : deferral.count() + " times in a row";
        return "Its worker deferred the start " + times + ", most recently because: " + deferral.reason() + ". ";
    }

    private static @Nullable Instant retryAt(StartCandidate c) {
        return c.machine().retryAt(c.rolloutRef());
    }
}
