package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that a campaign has opened: its site's watcher writes the new version to the fields, Cluster API then updates the machines
 * in place, and the campaign admits each of them.
 *
 * @param changes the fields, in the order in which they were added; none after somebody else has written another version to each
 */
public record ClusterUpgrade(
        ClusterKey cluster,
        RolloutRef.CampaignRef campaign,
        String version,
        Instant openedAt,
        List<VersionFieldChange> changes)
        implements TableRow {
    /** How many fields of a cluster are changed at most. */
    public static final int MAX_CHANGES = 256;

    public ClusterUpgrade {
        changes = List.copyOf(changes);
    }

    /** Returns the change of a field; null if it is not changed. */
    public @Nullable VersionFieldChange changeOf(VersionField field) {
        for (VersionFieldChange change : changes) {
            if (field.isOf(change)) {
                return change;
            }
        }
        return null;
    }

    /** Whether it asks for a version in any field. */
    public boolean hasChanges() {
        return !changes.isEmpty();
    }

    public ClusterUpgrade withChanges(List<VersionFieldChange> now) {
        return new ClusterUpgrade(cluster, campaign, version, openedAt, now);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, new ClusterUpgradeKey(cluster));
    }
}
