package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import org.jspecify.annotations.Nullable;

/** The entry of a rollout in a machine status. */
public record RolloutEntry(
        RolloutRef rollout,
        String wave,
        long failedAttempts,
        @Nullable Long retryAt,
        @Nullable Long soakUntil,
        @Nullable String fromRevision,
        @Nullable String target,
        String outcome) {
    static RolloutEntry read(JsonFieldReader row) {
        return new RolloutEntry(
                RolloutRef.read(row.child("rollout")),
                row.text("wave"),
                row.numberOr("failedAttempts", 0),
                row.instantOrNull("retryAt"),
                row.instantOrNull("soakUntil"),
                row.textOr("fromRevision", null),
                row.textOr("target", null),
                row.text("outcome", "open"));
    }

    public boolean hasEnded() {
        return !outcome.equals("open");
    }

    public boolean isAtTarget() {
        return outcome.equals("succeeded") || outcome.equals("unchanged");
    }

    /** Whether the machine has succeeded after a call. */
    public boolean isUpgraded() {
        return outcome.equals("succeeded");
    }

    public boolean isSkipped() {
        return outcome.equals("skipped");
    }

    public boolean isQuarantined() {
        return outcome.equals("quarantined");
    }
}
