package dev.flotilla.simulator.check;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Table;
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
 * Topics of sites that have lost records. What was decided on them holds until their site is adopted and read anew: then its
 * inputs are as they stand there, and nothing is known of what its lost tables said.
 */
final class LostTopicRecords {
    private final Map<SiteId, Set<Table>> recordsLost = new LinkedHashMap<>();
    /** Sites that are adopted and not read since, with whether the leader that decides has not read them before either. */
    private final Map<SiteId, Boolean> adopted = new LinkedHashMap<>();

    void recordsLost(TablePartition tablePartition) {
        if (tablePartition.site() != null) {
            recordsLost
                    .computeIfAbsent(tablePartition.site(), absent -> EnumSet.noneOf(Table.class))
                    .add(tablePartition.table());
        }
    }

    /** Whether a topic has lost what somebody may not have read, and its site was not read since. */
    boolean hasUnreadLoss() {
        return !recordsLost.isEmpty();
    }

    /** Whether what a row said is lost, and its site was not read since. */
    boolean isRowLost(RowKey key) {
        SiteId site = key.table().isPerSite() ? RecordKeyFormat.siteOf(key) : null;
        return site != null && recordsLost.getOrDefault(site, Set.of()).contains(key.table());
    }

    /**
     * A head row was decided; returns whether it says that the site's topics are adopted.
     *
     * @param unread whether the leader that decided has not read the site
     */
    boolean isAdopted(@Nullable SiteHead before, SiteHead next, boolean unread) {
        boolean now = before != null && !Objects.equals(before.adoptOrderId(), next.adoptOrderId());
        if (now) {
            adopted.put(next.site(), unread);
        }
        return now;
    }

    /**
     * A leader has read these sites; the rows of them that it finds otherwise than they were decided, if any.
     *
     * @param fresh whether it has just read them
     */
    @Nullable
    Predicate<RowKey> readAnew(Set<SiteId> sites, boolean fresh) {
        Map<SiteId, Set<Table>> tables = new LinkedHashMap<>();
        for (SiteId site : List.copyOf(adopted.keySet())) {
            if (!sites.contains(site)) {
                adopted.put(site, true);
            } else if (fresh || adopted.getOrDefault(site, false)) {
                adopted.remove(site);
                Set<Table> all = EnumSet.noneOf(Table.class);
                OrchestratorPartitions.inputsOf(site).forEach(tablePartition -> all.add(tablePartition.table()));
                Set<Table> gone = recordsLost.remove(site);
                all.addAll(gone == null ? Set.of() : gone);
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
