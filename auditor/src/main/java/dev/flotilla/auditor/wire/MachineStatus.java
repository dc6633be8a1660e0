package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status row of a machine. */
public record MachineStatus(
        String id,
        String site,
        String uid,
        @Nullable UpgradeAttempt attempt,
        @Nullable AttemptFailure lastFailure,
        List<RolloutEntry> entries,
        @Nullable MachinePreparation preparation)
        implements TableRow {
    /** How an attempt failed. */
    public record AttemptFailure(long attemptId, String reason) {}

    static MachineStatus read(JsonFieldReader row) {
        List<RolloutEntry> entries = new ArrayList<>();
        for (JsonValue item : row.items("entries")) {
            entries.add(RolloutEntry.read(JsonFieldReader.of(item)));
        }
        JsonFieldReader failure = row.child("lastFailure");
        String site = row.text("site");
        return new MachineStatus(
                site + "/" + row.text("namespace") + "/" + row.text("name"),
                site,
                row.text("uid"),
                row.has("attempt") ? UpgradeAttempt.read(row.child("attempt")) : null,
                row.has("lastFailure") ? new AttemptFailure(failure.number("attemptId"), failure.text("reason")) : null,
                entries,
                row.has("preparation") ? MachinePreparation.read(row.child("preparation")) : null);
    }

    public boolean isPreparing() {
        return preparation != null && preparation.isRunning();
    }

    /** Whether its open attempt, if there is one, is for this rollout. */
    public boolean isInFlightFor(RolloutRef rolloutRef) {
        return attempt != null && attempt.rollout().equals(rolloutRef);
    }

    public @Nullable RolloutEntry entry(RolloutRef rolloutRef) {
        for (RolloutEntry rolloutEntry : entries) {
            if (rolloutEntry.rollout().equals(rolloutRef)) {
                return rolloutEntry;
            }
        }
        return null;
    }
}
