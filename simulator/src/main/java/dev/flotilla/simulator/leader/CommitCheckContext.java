package dev.flotilla.simulator.leader;

import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What a leader attaches to its commit for the invariant checks.
 *
 * @param readSites the sites whose rows the leader knows
 * @param withheldRows decided but unwritten rows of suspended sites
 */
public record CommitCheckContext(DecisionBatch batch, Set<SiteId> readSites, Map<RowKey, RowChange> withheldRows) {

    /** Whether the leader knows all sites and has written all that it has decided. */
    public boolean isComplete(Collection<SiteId> sites) {
        return withheldRows.isEmpty() && readSites.containsAll(sites);
    }

    /** The withheld rows of a site, written now that the site has been resumed. */
    public record ReleasedSiteRows(SiteId site, Map<RowKey, RowChange> rows) {}
}
