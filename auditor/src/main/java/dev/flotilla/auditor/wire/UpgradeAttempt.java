package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * An open attempt, from the status row.
 *
 * @param state {@code admitted}, {@code running} or {@code unknown}
 * @param step of a running attempt, otherwise empty
 * @param machine null if the row does not have it: earlier versions did not write it
 * @param deadline for an unknown attempt since when it is unknown, otherwise its lease's end or its deadline
 */
public record UpgradeAttempt(
        long id,
        RolloutRef rollout,
        String target,
        String state,
        String step,
        long deadline,
        long stateSince,
        boolean cancelled,
        @Nullable AttemptMachineSnapshot machine) {
    /** The machine when it was admitted, with its cluster's name. */
    public record AttemptMachineSnapshot(String cluster, boolean controlPlane, UpgradeProvider provider) {}

    static UpgradeAttempt read(JsonFieldReader row) {
        JsonFieldReader state = row.child("state");
        String type = state.text("type");
        String step = switch (type) {
            case "admitted", "unknown" -> "";
            case "running" -> state.text("step");
            default -> throw new MalformedJsonException("has the unknown attempt state \"" + type + "\"");
        };
        long until = state.instant(
                type.equals("admitted") ? "leaseExpiresAt" : type.equals("running") ? "deadline" : "since");
        return new UpgradeAttempt(
                row.number("id"),
                RolloutRef.read(row.child("rollout")),
                row.text("target"),
                type,
                step,
                until,
                row.instant("admittedAt"),
                row.bool("cancelled"),
                row.has("machine") ? admitted(row.child("machine")) : null);
    }

    private static AttemptMachineSnapshot admitted(JsonFieldReader machine) {
        return new AttemptMachineSnapshot(
                machine.text("cluster"), machine.text("role").equals("control-plane"), UpgradeProvider.read(machine));
    }

    /** What upgrades the machine for this attempt; rows of earlier versions do not have it. */
    public UpgradeProvider provider() {
        return machine == null ? UpgradeProvider.K8SD : machine.provider();
    }

    /** Whether the call may have been made, as far as the status shows. */
    public boolean mayHaveCalled() {
        return state.equals("unknown") || AttemptReport.mayHaveCalled(step);
    }
}
