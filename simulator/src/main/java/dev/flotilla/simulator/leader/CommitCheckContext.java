package dev.flotilla.simulator.leader;

import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What a leader attaches to its commit for whoever checks.
 *
 * @param readSites the sites whose rows the leader knows
 * @param heldBackRows rows of sites that are set aside: decided, and not written
 */
public record CommitCheckContext(DecisionBatch batch, Set<SiteId> readSites, Map<RowKey, RowChange> heldBackRows) {

    /** Whether the leader knows all sites and has written all that it has decided. */
    public boolean isWhole(Collection<SiteId> sites) {
        return heldBackRows.isEmpty() && readSites.containsAll(sites);
    }

    /** The rows that were kept back for a site, written now that it is back. */
    public record ReleasedSiteRows(SiteId site, Map<RowKey, RowChange> rows) {}
}
