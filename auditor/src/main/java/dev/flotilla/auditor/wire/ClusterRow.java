package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster, as its watcher reports it. */
public record ClusterRow(
        String id,
        String uid,
        Labels labels,
        boolean paused,
        boolean hold,
        @Nullable String timeZone,
        int controlPlaneReplicas,
        List<VersionField> versionFields)
        implements TableRow {
    static ClusterRow read(JsonFieldReader row) {
        return new ClusterRow(
                row.text("site") + "/" + row.text("namespace") + "/" + row.text("name"),
                row.text("uid"),
                Labels.read(row.child("labels")),
                row.bool("paused"),
                row.bool("hold"),
                row.textOr("timeZone", null),
                (int) row.number("controlPlaneReplicas"),
                VersionField.readAll(row.items("versionFields")));
    }

    /** The field whose change has Cluster API update a machine in place; null if it does not. */
    public @Nullable VersionField fieldOf(MachineRow machine) {
        VersionField own = null;
        VersionField topology = null;
        for (VersionField field : versionFields) {
            topology = field.isTopology() ? field : topology;
            own = field.isOwnerOf(machine) ? field : own;
        }
        return own != null && topology != null ? topology : own;
    }
}
