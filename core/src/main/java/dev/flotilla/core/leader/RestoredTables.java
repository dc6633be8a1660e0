package dev.flotilla.core.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A state that is read from the tables: all committed rows of the orchestrator's own tables, and those inputs that were
 * decided on according to the head rows.
 */
public final class RestoredTables {
    private final FleetState state;
    private final Map<SiteId, SiteHead> siteHeads;
    private final Map<SiteId, Long> lastHeartbeats = new LinkedHashMap<>();
    private final Set<SiteId> followedSites = new LinkedHashSet<>();
    private FleetHead head = FleetHead.NONE;
    private @Nullable SiteId outdatedSite;

    public RestoredTables() {
        this(new FleetState(), new LinkedHashMap<>());
    }

    /** Reads more tables into a state that was read before. */
    public RestoredTables(FleetState state, Map<SiteId, SiteHead> siteHeads) {
        this.state = state;
        this.siteHeads = new LinkedHashMap<>(siteHeads);
    }

    public FleetState state() {
        return state;
    }

    public FleetHead head() {
        return head;
    }

    public Map<SiteId, SiteHead> siteHeads() {
        return siteHeads;
    }

    /** The append time of each site's newest heartbeat that was read, in milliseconds. */
    public Map<SiteId, Long> lastHeartbeats() {
        return lastHeartbeats;
    }

    /** Records that records of a site were read: when its topics are adopted, everything must be read again. */
    public void followSite(SiteId site) {
        followedSites.add(site);
    }

    /**
     * A site that was followed and whose topics were replaced and adopted since: its reader is in the middle of the new
     * topics, and nothing else shows that. Null if there is none.
     */
    public @Nullable SiteId outdatedSite() {
        return outdatedSite;
    }

    /** Applies one of the orchestrator's own rows; returns whether it says that more inputs were decided on. */
    public boolean applyOwnRow(RowChange rowChange) {
        state.put(rowChange);
        if (rowChange instanceof FleetHead next) {
            head = next;
            return true;
        }
        if (rowChange instanceof SiteHead next) {
            SiteHead before = siteHeads.put(next.site(), next);
            if (before != null
                    && followedSites.contains(next.site())
                    && !Objects.equals(before.adoptOrderId(), next.adoptOrderId())) {
                outdatedSite = next.site();
            }
            return true;
        }
        if (rowChange instanceof Tombstone tombstone
                && tombstone.rowKey().table() == Table.HEAD
                && tombstone.rowKey().key() instanceof SiteId site) {
            // An operator deleted the row after records were lost: the site is read as a new one.
            siteHeads.remove(site);
        }
        return false;
    }

    /**
     * Applies inputs that were decided on. A key whose newest record is unreadable gets no row: compaction may have
     * removed the older one or not.
     */
    public void applyInputs(List<? extends InputRecord> decided) {
        Set<String> unreadable = new LinkedHashSet<>();
        List<InputRecord> readable = new ArrayList<>();
        for (InputRecord input : decided) {
            RowChange rowChange = input.rowChange();
            if (rowChange == null || RejectedRecordFactory.isRejected(state, input)) {
                unreadable.add(String.valueOf(input.writtenKey()));
            } else {
                if (!unreadable.isEmpty()) {
                    unreadable.remove(String.valueOf(input.writtenKey()));
                }
                readable.add(input);
                if (rowChange instanceof WatcherHeartbeat heartbeat) {
                    lastHeartbeats.merge(heartbeat.site(), input.appendedAt(), Math::max);
                }
            }
        }
        for (InputRecord input : readable) {
            RowChange rowChange = input.rowChange();
            if (rowChange != null
                    && (unreadable.isEmpty() || !unreadable.contains(String.valueOf(input.writtenKey())))) {
                state.put(rowChange);
            }
        }
    }

    /** The offset of the first record of a partition that was not decided on, by the head rows; 0 if they have none. */
    public long decidedUpTo(TablePartition tablePartition) {
        return ConsistentCut.decidedUpTo(head, siteHeads, tablePartition);
    }
}
