package dev.flotilla.core.leader;

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
 * A consistent cut: the orchestrator's own rows up to one journal record, and the inputs that had been decided on by
 * then.
 *
 * @param sites the head rows of the sites at the same instant
 */
public record ConsistentCut(FleetHead head, Map<SiteId, SiteHead> sites) {
    public ConsistentCut {
        sites = Collections.unmodifiableMap(new LinkedHashMap<>(sites));
    }

    /** Whether a row that the orchestrator wrote with this number belongs to the cut. */
    public boolean hasSeq(long seq) {
        return seq <= head.seq();
    }

    /** The offset of the first record of a partition that had not been decided on. */
    public long decidedUpTo(TablePartition tablePartition) {
        return decidedUpTo(head, sites, tablePartition);
    }

    /** The same for head rows that are not kept; zero if they do not name the partition. */
    public static long decidedUpTo(FleetHead head, Map<SiteId, SiteHead> sites, TablePartition tablePartition) {
        SiteId site = tablePartition.site();
        SiteHead siteHead = site == null ? null : sites.get(site);
        List<PartitionOffset> offsets =
                site == null ? head.offsets() : siteHead == null ? List.of() : siteHead.offsets();
        return PartitionOffset.nextOffset(offsets, tablePartition);
    }
}
