package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.StartDeferral;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What closes one machine. */
final class MachineGates {
    private MachineGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> closed(c.machine()) == null,
                        c -> new ClosedGate(
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                String.valueOf(closed(c.machine())),
                                "free",
                                "The machine " + closed(c.machine()) + ".")),
                VersionSkewGate.gate(),
                new Gate(
                        GateLabel.BACKOFF,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> {
                            Instant at = retryAt(c);
                            return at == null || !c.now().isBefore(at);
                        },
                        c -> new ClosedGate(
                                GateLabel.BACKOFF,
                                c.now().toString(),
                                String.valueOf(retryAt(c)),
                                refused(c) + "The next attempt is made at " + retryAt(c) + ".",
                                retryAt(c))));
    }

    private static @Nullable String closed(MachineView machine) {
        if (machine.unreadable()) {
            return "has an inventory row that cannot be read, or a decision that fails (flotilla rejected list)";
        }
        if (!machine.isPresent()) {
            return "has no inventory row";
        }
        if (machine.attempt() != null) {
            return "has an attempt open";
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
        MachineView first = machine.yieldsTo();
        return first == null
                ? null
                : "has a node that machine " + first.key() + " shows too, which "
                        + (first.attempt() != null ? "is being upgraded" : "was upgraded before")
                        + ": one of the two sites has to let go of it";
    }

    private static String refused(StartCandidate c) {
        StartDeferral deferral = c.machine().deferral(c.rolloutRef());
        if (deferral == null) {
            return "";
        }
        String often = deferral.count() == 1 ? "once" : deferral.count() + " times in a row";
        return "Its worker refused to start it " + often + ", most recently because: " + deferral.reason() + ". ";
    }

    private static @Nullable Instant retryAt(StartCandidate c) {
        return c.machine().retryAt(c.rolloutRef());
    }
}
