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
 * @param read the sites whose rows the leader knows
 * @param kept rows of sites that are set aside: decided, and not written
 */
public record Commit(DecisionBatch batch, Set<SiteId> read, Map<RowKey, RowChange> kept) {

    /** Whether the leader knows all sites and has written all that it has decided. */
    public boolean isWhole(Collection<SiteId> sites) {
        return kept.isEmpty() && read.containsAll(sites);
    }

    /** The rows that were kept back for a site, written now that it is back. */
    public record Kept(SiteId site, Map<RowKey, RowChange> rows) {}
}
