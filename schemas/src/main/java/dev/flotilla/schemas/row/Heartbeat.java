package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;

/**
 * A watcher's word that its site is being watched.
 *
 * @param managementUid the uid of the management cluster's kube-system namespace: which cluster the site really is
 * @param missing machines that vanished at once and whose tombstones the watcher holds back until the removal is
 *     accepted; zero when nothing is held back
 */
public record Heartbeat(SiteId site, String managementUid, String watcher, Instant time, int missing) implements Row {
    @Override
    public RowKey at() {
        return new RowKey(Table.INVENTORY, site);
    }
}
