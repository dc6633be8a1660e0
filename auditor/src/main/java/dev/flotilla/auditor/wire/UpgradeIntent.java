package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;

/** An upgrade intent; {@code object} is the key, such as {@code cluster/namespace/name}. */
public record UpgradeIntent(String site, String object, String uid, String target, long requestedAt)
        implements TableRow {
    static UpgradeIntent read(JsonFieldReader row) {
        return new UpgradeIntent(
                row.text("site"), row.text("object"), row.text("uid"), row.text("target"), row.instant("requestedAt"));
    }

    /** The rollout of the intent. */
    public RolloutRef rollout() {
        return new RolloutRef.IntentRef(site, object, requestedAt);
    }
}
