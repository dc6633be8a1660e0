package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * An open attempt as the status row shows it.
 *
 * @param state {@code admitted}, {@code running} or {@code unknown}
 * @param step where it runs, empty otherwise
 * @param machine null where the row does not say: earlier versions did not write it
 * @param deadline of an unknown one since when, else its end or deadline
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
    /** The machine when it was admitted, by its cluster's name. */
    public record AttemptMachineSnapshot(String cluster, boolean controlPlane) {}

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
                machine.text("cluster"), machine.text("role").equals("control-plane"));
    }

    /** Whether its call may have been made, as far as the status tells. */
    public boolean mayHaveCalled() {
        return state.equals("unknown") || AttemptReport.mayHaveCalled(step);
    }
}
