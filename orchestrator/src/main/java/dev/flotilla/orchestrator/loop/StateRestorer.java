package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads tables from their beginnings or on to their ends, and says whether what they hold may be gone on from. */
final class StateRestorer {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final String LOST =
            ". Records were lost (an unclean leader election, a restored disk, a topic made anew?). Bring them back, or see"
                    + " docs/lost-records.md for what to do without.";

    private StateRestorer() {}

    static List<TablePartition> partitionsOf(Collection<SiteId> sites) {
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        places.addAll(OrchestratorPartitions.inputs(sites));
        return places;
    }

    /** Where the journal ends: there are no more decisions than that. */
    static long journalEnd(PartitionReader reader) {
        TablePartition journal = TablePartition.of(Table.JOURNAL);
        return reader.endOffsets(List.of(journal)).getOrDefault(journal, 0L);
    }

    static List<TablePartition> partitionsOf(SiteId site) {
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.outputsOf(site));
        places.addAll(OrchestratorPartitions.inputsOf(site));
        return places;
    }

    /** Reads more places, from their beginnings. */
    static void addPartitions(PartitionReader reader, Collection<TablePartition> more) {
        List<TablePartition> fresh = new ArrayList<>(more);
        fresh.removeAll(reader.assigned());
        List<TablePartition> all = new ArrayList<>(reader.assigned());
        all.addAll(fresh);
        reader.assign(all);
        reader.seekToBeginning(fresh);
    }

    /**
     * Reads our own tables up to these ends, and of the inputs what was decided on. Returns false when stopped on the way.
     */
    static boolean readTo(
            Map<TablePartition, Long> ends,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions,
            BooleanSupplier goesOn) {
        List<DecodedRecord> read = List.of();
        while (goesOn.getAsBoolean()) {
            List<DecodedRecord> next = List.of();
            if (!isAt(ends, reader, tableFollower)) {
                // While these are decoded, those before them are taken.
                next = tableFollower.decodeRecords(reader.poll(read.isEmpty() ? POLL : Duration.ZERO));
            } else if (read.isEmpty()) {
                return true;
            }
            tableFollower.applyRecords(read);
            pausedPartitions.pauseFullPartitions(tableFollower);
            read = next;
        }
        return false;
    }

    private static boolean isAt(Map<TablePartition, Long> ends, PartitionReader reader, TableFollower tableFollower) {
        for (Map.Entry<TablePartition, Long> each : ends.entrySet()) {
            TablePartition tablePartition = each.getKey();
            long end = OrchestratorPartitions.isInput(tablePartition.table())
                    ? Math.min(each.getValue(), tableFollower.decidedUpTo(tablePartition))
                    : each.getValue();
            if (reader.nextOffset(tablePartition) < end) {
                return false;
            }
        }
        return true;
    }

    /**
     * Records of what was decided that have not been read. What waits to be decided on does not count, however much it is:
     * it waits for whoever leads next, and nobody would.
     */
    static long countUnread(PartitionReader reader, TableFollower tableFollower) {
        long sum = 0;
        for (TablePartition tablePartition : reader.assigned()) {
            sum += OrchestratorPartitions.isInput(tablePartition.table())
                    ? Math.max(0, tableFollower.decidedUpTo(tablePartition) - reader.nextOffset(tablePartition))
                    : reader.lag(tablePartition);
        }
        return sum;
    }

    /** Nobody must lead on tables that have lost something, that a newer version has written, or that nobody can read. */
    static void validateState(
            TableFollower tableFollower, UnreadableOwnRows unreadable, Map<TablePartition, Long> ends) {
        tableFollower.requireReadable(unreadable);
        FleetHead head = tableFollower.head();
        if (head.featureLevel() > FleetHead.FEATURE_LEVEL) {
            throw new LeadershipRefusedException(
                    "The tables are at feature level " + head.featureLevel() + " and this version understands "
                            + FleetHead.FEATURE_LEVEL + ": run the version that wrote them, or a newer one.");
        }
        for (PartitionOffset offset : head.offsets()) {
            TablePartition tablePartition = new TablePartition(offset.table(), null, offset.partition());
            Long end = ends.get(tablePartition);
            if (end != null && end < Math.min(offset.nextOffset(), tableFollower.decidedUpTo(tablePartition))) {
                throw new LeadershipRefusedException("Table " + tablePartition + " went back: it ends at offset " + end
                        + ", and " + offset.nextOffset() + " was read or written before" + LOST);
            }
        }
    }

    /**
     * The sites that can be read: those whose topics can be used, are the ones that the head rows speak of, and hold what was
     * read of them before.
     */
    static List<SiteId> findReadableSites(
            SiteTopicWatcher siteTopicWatcher, PartitionReader reader, Map<SiteId, SiteHead> heads) {
        List<SiteId> readable = new ArrayList<>();
        for (SiteId site : siteTopicWatcher.allSites(heads.keySet())) {
            if (siteTopicWatcher.findProblem(site, heads.get(site)) == null) {
                readable.add(site);
            }
        }
        List<TablePartition> places = new ArrayList<>();
        readable.forEach(site -> places.addAll(partitionsOf(site)));
        Map<TablePartition, Long> ends = places.isEmpty() ? Map.of() : reader.endOffsets(places);
        readable.removeIf(site -> hasLostRecords(siteTopicWatcher, heads.get(site), ends));
        return readable;
    }

    /** Whether a site has lost records that had been read: then it is no longer one to read. */
    static boolean hasLostRecords(
            SiteTopicWatcher siteTopicWatcher, @Nullable SiteHead head, Map<TablePartition, Long> ends) {
        SiteTopicProblem trouble = head == null ? null : SiteTopicProblem.lostRecordsProblem(head, ends);
        if (head == null || trouble == null) {
            return false;
        }
        siteTopicWatcher.reportLostRecords(head, trouble);
        return true;
    }

    /**
     * Nobody must number decisions anew that have been made. Asked when nobody writes any more: a row and the head of its
     * transaction are read one after the other.
     *
     * @param journalEnd where the journal ends, which has a record of each decision
     */
    static void validateHead(TableFollower tableFollower, long journalEnd) {
        tableFollower.newestDecision().limitTo(journalEnd);
        if (tableFollower.newestDecision().seq() > tableFollower.head().seq()) {
            throw new LeadershipRefusedException("Table " + TablePartition.of(Table.HEAD) + " went back: decision "
                    + tableFollower.head().seq() + " is the last that it knows of, and decision "
                    + tableFollower.newestDecision().seq()
                    + " has written rows" + LOST);
        }
    }
}
