package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import org.jspecify.annotations.Nullable;

/** A cluster, as its watcher reports it. */
public record ClusterRow(
        String id,
        String uid,
        Labels labels,
        boolean paused,
        boolean hold,
        @Nullable String timeZone,
        int controlPlaneReplicas)
        implements TableRow {
    static ClusterRow read(JsonFieldReader row) {
        return new ClusterRow(
                row.text("site") + "/" + row.text("namespace") + "/" + row.text("name"),
                row.text("uid"),
                Labels.read(row.child("labels")),
                row.bool("paused"),
                row.bool("hold"),
                row.textOr("timeZone", null),
                (int) row.number("controlPlaneReplicas"));
    }
}
