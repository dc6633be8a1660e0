package dev.flotilla.orchestrator.follow;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.runtime.process.BuildVersion;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads tables from their beginnings to their ends, and validates that a leader may continue from them. */
public final class StateRestorer {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final String LOST_RECORDS_HINT =
            ". Records were lost, for example by an unclean leader election, a restored disk or a topic that was"
                    + " created again. Restore them, or see docs/lost-records.md for what to do without them.";

    private StateRestorer() {}

    public static List<TablePartition> partitionsOf(Collection<SiteId> sites) {
        List<TablePartition> partitions = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        partitions.addAll(OrchestratorPartitions.inputs(sites));
        return partitions;
    }

    /** The journal's end offset, which is the highest possible number of decisions. */
    public static long journalEnd(PartitionReader reader) {
        TablePartition journal = TablePartition.of(Table.JOURNAL);
        return reader.endOffsets(List.of(journal)).getOrDefault(journal, 0L);
    }

    public static List<TablePartition> partitionsOf(SiteId site) {
        List<TablePartition> partitions = new ArrayList<>(OrchestratorPartitions.outputsOf(site));
        partitions.addAll(OrchestratorPartitions.inputsOf(site));
        return partitions;
    }

    /** Reads more partitions, from their beginnings. */
    public static void addPartitions(PartitionReader reader, Collection<TablePartition> more) {
        List<TablePartition> fresh = new ArrayList<>(more);
        fresh.removeAll(reader.assigned());
        List<TablePartition> all = new ArrayList<>(reader.assigned());
        all.addAll(fresh);
        reader.assign(all);
        reader.seekToBeginning(fresh);
    }

    /**
     * Reads the orchestrator's own tables to these ends, and the inputs that were decided on. Returns false if the
     * process stops.
     */
    public static boolean readTo(
            Map<TablePartition, Long> ends,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions,
            BooleanSupplier isRunning) {
        List<DecodedRecord> current = List.of();
        while (isRunning.getAsBoolean()) {
            List<DecodedRecord> next = List.of();
            if (!hasReached(ends, reader, tableFollower)) {
                // While these records are decoded, the records before them are applied.
                next = tableFollower.decodeRecords(reader.poll(current.isEmpty() ? POLL : Duration.ZERO));
            } else if (current.isEmpty()) {
                return true;
            }
            tableFollower.applyRecords(current);
            pausedPartitions.pauseFullPartitions(tableFollower);
            current = next;
        }
        return false;
    }

    private static boolean hasReached(
            Map<TablePartition, Long> ends, PartitionReader reader, TableFollower tableFollower) {
        for (Map.Entry<TablePartition, Long> entry : ends.entrySet()) {
            TablePartition tablePartition = entry.getKey();
            long end = OrchestratorPartitions.isInput(tablePartition.table())
                    ? Math.min(entry.getValue(), tableFollower.decidedUpTo(tablePartition))
                    : entry.getValue();
            if (reader.nextOffset(tablePartition) < end) {
                return false;
            }
        }
        return true;
    }

    /**
     * The number of unread records of decisions. Inputs that wait for a decision do not count: they wait for the next
     * leader, and a standby that counted them would never lead.
     */
    public static long countUnread(PartitionReader reader, TableFollower tableFollower) {
        long sum = 0;
        for (TablePartition tablePartition : reader.assigned()) {
            sum += OrchestratorPartitions.isInput(tablePartition.table())
                    ? Math.max(0, tableFollower.decidedUpTo(tablePartition) - reader.nextOffset(tablePartition))
                    : reader.lag(tablePartition);
        }
        return sum;
    }

    /**
     * Refuses leadership on tables that have lost records, that a newer version has written, or that are unreadable.
     */
    public static void validateState(
            TableFollower tableFollower, UnreadableOwnRows unreadable, Map<TablePartition, Long> ends) {
        tableFollower.requireReadable(unreadable);
        FleetHead head = tableFollower.head();
        if (head.featureLevel() > FleetHead.FEATURE_LEVEL) {
            throw new LeadershipRefusedException("The tables are at feature level " + head.featureLevel()
                    + " and flotilla " + BuildVersion.number() + " understands " + FleetHead.FEATURE_LEVEL
                    + ": run the version that wrote them, or a newer one.");
        }
        for (PartitionOffset offset : head.offsets()) {
            TablePartition tablePartition = new TablePartition(offset.table(), null, offset.partition());
            Long end = ends.get(tablePartition);
            if (end != null && end < Math.min(offset.nextOffset(), tableFollower.decidedUpTo(tablePartition))) {
                throw new LeadershipRefusedException("Table " + tablePartition + " has lost records: it ends at offset "
                        + end + ", but was read or written up to offset " + offset.nextOffset() + LOST_RECORDS_HINT);
            }
        }
    }

    /**
     * The readable sites: those whose topics are usable, are the recorded ones, and still hold what was read of them.
     */
    public static List<SiteId> findReadableSites(
            SiteTopicWatcher siteTopicWatcher, PartitionReader reader, Map<SiteId, SiteHead> heads) {
        List<SiteId> readable = new ArrayList<>();
        for (SiteId site : siteTopicWatcher.allSites(heads.keySet())) {
            if (siteTopicWatcher.findProblem(site, heads.get(site)) == null) {
                readable.add(site);
            }
        }
        List<TablePartition> partitions = new ArrayList<>();
        readable.forEach(site -> partitions.addAll(partitionsOf(site)));
        Map<TablePartition, Long> ends = partitions.isEmpty() ? Map.of() : reader.endOffsets(partitions);
        readable.removeIf(site -> hasLostRecords(siteTopicWatcher, heads.get(site), ends));
        return readable;
    }

    /** Whether a site has lost records that were read; such a site is not read. */
    public static boolean hasLostRecords(
            SiteTopicWatcher siteTopicWatcher, @Nullable SiteHead head, Map<TablePartition, Long> ends) {
        SiteTopicProblem problem = head == null ? null : SiteTopicProblem.findLostRecords(head, ends);
        if (head == null || problem == null) {
            return false;
        }
        siteTopicWatcher.reportLostRecords(head, problem);
        return true;
    }

    /**
     * Refuses leadership if decision numbers could be assigned twice. Called when no other leader writes: a row and the
     * head row of its transaction are read one after the other.
     *
     * @param journalEnd the journal's end offset; the journal has a record of each decision
     */
    public static void validateHead(TableFollower tableFollower, long journalEnd) {
        tableFollower.newestDecision().raiseLimit(journalEnd);
        if (tableFollower.newestDecision().seq() > tableFollower.head().seq()) {
            throw new LeadershipRefusedException(
                    "Table " + TablePartition.of(Table.HEAD) + " has lost records: its newest decision is "
                            + tableFollower.head().seq() + ", but decision "
                            + tableFollower.newestDecision().seq()
                            + " has written rows" + LOST_RECORDS_HINT);
        }
    }
}
