package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine, as its watcher reports it. {@code id} and {@code cluster} start with the site, {@code owner} is the key of
 * an intent.
 */
public record MachineRow(
        String id,
        String site,
        String uid,
        String cluster,
        @Nullable String owner,
        boolean controlPlane,
        Labels labels,
        boolean hasNode,
        @Nullable String providerId,
        @Nullable String systemUuid,
        boolean ready,
        boolean deleting,
        boolean paused,
        boolean hold,
        boolean optOut,
        @Nullable String release,
        @Nullable String kubeletVersion,
        @Nullable String revision,
        @Nullable String architecture,
        List<String> activities,
        UpgradeProvider provider)
        implements TableRow {
    static MachineRow read(JsonFieldReader row) {
        String site = row.text("site");
        String namespace = site + "/" + row.text("namespace") + "/";
        return new MachineRow(
                namespace + row.text("name"),
                site,
                row.text("uid"),
                namespace + row.text("cluster"),
                row.has("owner") ? owner(row.text("namespace"), row.child("owner")) : null,
                row.text("role").equals("control-plane"),
                Labels.read(row.child("labels")),
                row.has("node"),
                row.textOr("providerId", null),
                row.textOr("systemUuid", null),
                row.bool("ready"),
                row.bool("deleting"),
                row.bool("paused"),
                row.bool("hold"),
                row.bool("optOut"),
                row.textOr("release", null),
                row.textOr("kubeletVersion", null),
                row.textOr("revision", null),
                row.textOr("architecture", null),
                row.texts("foreignActivities"),
                UpgradeProvider.read(row));
    }

    private static String owner(String namespace, JsonFieldReader owner) {
        return "owner/" + owner.text("kind") + "/" + namespace + "/" + owner.text("name");
    }

    /** Whether another controller upgrades it: it counts as in flight. */
    public boolean hasForeignActivity() {
        return activities.contains("foreign");
    }
}
