package dev.flotilla.simulator.check;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Topics of sites that have lost records. Decisions on them hold until their site is adopted and read again: then its
 * inputs are what its topics contain, and the rows of its lost tables are unknown.
 */
final class LostTopicRecords {
    private final Map<SiteId, Set<Table>> recordsLost = new LinkedHashMap<>();
    /** Sites that are adopted and not read since, and whether the deciding leader had not read them before either. */
    private final Map<SiteId, Boolean> adopted = new LinkedHashMap<>();

    void recordsLost(TablePartition tablePartition) {
        if (tablePartition.site() != null) {
            recordsLost
                    .computeIfAbsent(tablePartition.site(), absent -> EnumSet.noneOf(Table.class))
                    .add(tablePartition.table());
        }
    }

    /** Whether a topic has lost records that a reader may have missed, and its site was not read since. */
    boolean hasUnreadLoss() {
        return !recordsLost.isEmpty();
    }

    /** Whether a row is lost, and its site was not read since. */
    boolean isRowLost(RowKey key) {
        SiteId site = key.table().isPerSite() ? RecordKeyFormat.siteOf(key) : null;
        return site != null && recordsLost.getOrDefault(site, Set.of()).contains(key.table());
    }

    /**
     * Records a decided head row. Returns whether it adopts the site's topics.
     *
     * @param unread whether the deciding leader has not read the site
     */
    boolean isAdopted(@Nullable SiteHead before, SiteHead next, boolean unread) {
        boolean now = before != null && !Objects.equals(before.adoptOrderId(), next.adoptOrderId());
        if (now) {
            adopted.put(next.site(), unread);
        }
        return now;
    }

    /**
     * Records that a leader has read these sites. Returns which rows it may find changed since they were decided; null
     * if none.
     *
     * @param fresh whether it has just read them
     */
    @Nullable
    Predicate<RowKey> sitesRead(Set<SiteId> sites, boolean fresh) {
        Map<SiteId, Set<Table>> tables = new LinkedHashMap<>();
        for (SiteId site : List.copyOf(adopted.keySet())) {
            if (!sites.contains(site)) {
                adopted.put(site, true);
            } else if (fresh || adopted.getOrDefault(site, false)) {
                adopted.remove(site);
                Set<Table> all = EnumSet.noneOf(Table.class);
                OrchestratorPartitions.inputsOf(site).forEach(tablePartition -> all.add(tablePartition.table()));
                Set<Table> lost = recordsLost.remove(site);
                all.addAll(lost == null ? Set.of() : lost);
                tables.put(site, all);
            }
        }
        return tables.isEmpty()
                ? null
                : key -> key.table().isPerSite()
                        && tables.getOrDefault(RecordKeyFormat.siteOf(key), Set.of())
                                .contains(key.table());
    }
}
