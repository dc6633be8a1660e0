package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import org.jspecify.annotations.Nullable;

/** A cluster as its watcher sees it. */
public record ClusterRow(
        String id,
        String uid,
        Labels labels,
        boolean paused,
        boolean hold,
        @Nullable String timeZone,
        int controlPlaneReplicas)
        implements Row {
    static ClusterRow read(Fields row) {
        return new ClusterRow(
                row.text("site") + "/" + row.text("namespace") + "/" + row.text("name"),
                row.text("uid"),
                Labels.read(row.in("labels")),
                row.flag("paused"),
                row.flag("hold"),
                row.textOr("timeZone", null),
                (int) row.number("controlPlaneReplicas"));
    }
}
