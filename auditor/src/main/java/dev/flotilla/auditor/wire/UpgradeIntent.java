package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import org.jspecify.annotations.Nullable;

/**
 * An upgrade intent; {@code object} is the key, such as {@code cluster/namespace/name}.
 *
 * @param isOfTask whether an UpgradeTask requests it
 * @param expectedVersion the Kubernetes version that its UpgradeTask expects at a hash; null for none
 */
public record UpgradeIntent(
        String site,
        String object,
        String uid,
        String target,
        long requestedAt,
        @Nullable String expectedVersion,
        boolean isOfTask)
        implements TableRow {
    static UpgradeIntent read(JsonFieldReader row) {
        return new UpgradeIntent(
                row.text("site"),
                row.text("object"),
                row.text("uid"),
                row.text("target"),
                row.instant("requestedAt"),
                row.textOr("expectedVersion", null),
                row.has("task"));
    }

    /** The rollout of the intent. */
    public RolloutRef rollout() {
        return new RolloutRef.IntentRef(site, object, requestedAt);
    }
}
