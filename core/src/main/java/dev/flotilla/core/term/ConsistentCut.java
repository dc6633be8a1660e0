package dev.flotilla.core.term;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One instant of all tables: our own rows written up to a journal record, and of the inputs what had been decided on.
 *
 * @param sites the head rows of sites, as of the same instant
 */
public record ConsistentCut(FleetHead head, Map<SiteId, SiteHead> sites) {
    public ConsistentCut {
        sites = Collections.unmodifiableMap(new LinkedHashMap<>(sites));
    }

    /** Whether a row of the orchestrator belongs to it. */
    public boolean hasSeq(long seq) {
        return seq <= head.seq();
    }

    /** The next offset of an input that had not been decided on. */
    public long decidedUpTo(TablePartition tablePartition) {
        return decidedUpTo(head, sites, tablePartition);
    }

    /** The same of head rows that are not kept; zero where they say nothing. */
    public static long decidedUpTo(FleetHead head, Map<SiteId, SiteHead> sites, TablePartition tablePartition) {
        SiteId site = tablePartition.site();
        SiteHead of = site == null ? null : sites.get(site);
        List<PartitionOffset> offsets = site == null ? head.offsets() : of == null ? List.of() : of.offsets();
        return PartitionOffset.nextOffset(offsets, tablePartition);
    }
}
