package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;

/** A cluster that a campaign has opened: {@code cluster} is {@code site/namespace/name}. */
public record ClusterUpgrade(
        String cluster, RolloutRef.CampaignRef campaign, String version, List<VersionFieldChange> changes)
        implements TableRow {
    /** A version field that its watcher changes. */
    public record VersionFieldChange(String kind, String name, String from) {
        /** Whether it changes this field. */
        public boolean isOf(VersionField field) {
            return kind.equals(field.kind()) && name.equals(field.name());
        }
    }

    static ClusterUpgrade read(JsonFieldReader row) {
        return new ClusterUpgrade(
                row.text("site") + "/" + row.text("namespace") + "/" + row.text("name"),
                new RolloutRef.CampaignRef(row.text("campaign"), row.number("campaignUid")),
                row.text("version"),
                row.items("changes").stream()
                        .map(JsonFieldReader::of)
                        .map(change ->
                                new VersionFieldChange(change.text("kind"), change.text("name"), change.text("from")))
                        .toList());
    }

    /** The table, site and key of a cluster's row. */
    public static String keyOf(String cluster) {
        int slash = cluster.indexOf('/');
        return "status " + cluster.substring(0, slash) + " cluster-upgrade/" + cluster.substring(slash + 1);
    }

    /** Whether it changes any field: not after somebody else has written another version to each. */
    public boolean hasChanges() {
        return !changes.isEmpty();
    }

    /** Whether it changes a field. */
    public boolean changes(VersionField field) {
        return changes.stream().anyMatch(change -> change.isOf(field));
    }
}
