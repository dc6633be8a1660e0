package dev.flotilla.simulator.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimLogRecord;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads tables into a fleet state. It reads everything committed from the orchestrator's own tables, and from the
 * inputs only what the head rows say was decided on; the rest is left to be polled.
 */
public final class SimTableFollower {
    private final FleetState state = new FleetState();
    private final SimKafkaLog log;
    private final SimLogReader reader;
    private final List<TablePartition> inputPartitions = OrchestratorPartitions.inputsOfFleet();
    private final List<TablePartition> outputPartitions = OrchestratorPartitions.outputsOfFleet();
    private final Set<SiteId> sites = new LinkedHashSet<>();
    private final OrchestratorSafeguards safeguards;
    private final Map<SiteId, SiteHead> siteHeads = new LinkedHashMap<>();
    private final Set<SiteId> followed = new LinkedHashSet<>();
    private FleetHead head = FleetHead.NONE;
    private boolean outdated;

    public SimTableFollower(SimKafkaLog log, List<SiteId> sites, OrchestratorSafeguards habits) {
        this.log = log;
        this.safeguards = habits;
        this.reader = new SimLogReader(log, !habits.readsCommittedOnly());
        sites.forEach(this::add);
    }

    /** Reads the tables of one more site from now on. */
    void add(SiteId site) {
        if (sites.add(site)) {
            inputPartitions.addAll(OrchestratorPartitions.inputsOf(site));
            outputPartitions.addAll(OrchestratorPartitions.outputsOf(site));
        }
    }

    /** The sites whose tables it reads. */
    public Set<SiteId> sites() {
        return sites;
    }

    public FleetState state() {
        return state;
    }

    FleetHead head() {
        return head;
    }

    Map<SiteId, SiteHead> siteHeads() {
        return siteHeads;
    }

    /** Whether what it has read of a site is out of date: other topics were adopted since, or records were lost. */
    boolean isOutdated() {
        return outdated || reader.hasOffsetMovedBack();
    }

    /** Reads only the head rows, which name the topics that the tables of each site were read from. */
    void readHeads() {
        outputPartitions(List.of(TablePartition.of(Table.HEAD)));
    }

    /** Reads all that there is. It sees whole transactions, because nothing is committed meanwhile. */
    public void follow() {
        outputPartitions(outputPartitions);
        inputPartitions(inputPartitions, head, siteHeads);
        sites.forEach(state::markRestored);
        followed.addAll(sites);
    }

    /** Reads one more site into the state of a term that has begun, up to the offsets in its head rows. */
    void join(SiteId site, FleetHead known, Map<SiteId, SiteHead> heads) {
        sites.add(site);
        outputPartitions(OrchestratorPartitions.outputsOf(site));
        inputPartitions(OrchestratorPartitions.inputsOf(site), known, heads);
        state.markRestored(site);
    }

    private void outputPartitions(List<TablePartition> partitions) {
        for (TablePartition tablePartition : partitions) {
            for (SimLogReader.FetchedRecord fetchedRecord : reader.upTo(tablePartition, log.end(tablePartition))) {
                RowChange rowChange = fetchedRecord.logged().rowChange();
                if (rowChange != null) {
                    recordHead(rowChange);
                    put(rowChange);
                }
            }
        }
    }

    private void inputPartitions(List<TablePartition> partitions, FleetHead known, Map<SiteId, SiteHead> heads) {
        for (TablePartition tablePartition : partitions) {
            newestByKey(reader.upTo(tablePartition, ConsistentCut.decidedUpTo(known, heads, tablePartition)))
                    .values()
                    .forEach(logged -> {
                        RowChange rowChange = logged.rowChange();
                        if (rowChange != null && !RejectedRecordFactory.isRejected(state, tablePartition, logged)) {
                            put(rowChange);
                        }
                    });
        }
        sites.forEach(state::markRestored);
    }

    /**
     * Maps each key to its newest record. If that one is unreadable, no row is read for the key, because an older one
     * may already be compacted away.
     */
    private static Map<RowKey, SimLogRecord> newestByKey(List<SimLogReader.FetchedRecord> fetched) {
        Map<RowKey, SimLogRecord> newest = new LinkedHashMap<>();
        for (SimLogReader.FetchedRecord fetchedRecord : fetched) {
            newest.put(fetchedRecord.logged().key(), fetchedRecord.logged());
        }
        return newest;
    }

    private void put(RowChange rowChange) {
        if (rowChange.rowKey().table() != safeguards.unreadTable()) {
            state.put(rowChange);
        }
    }

    void recordHead(RowChange rowChange) {
        if (rowChange instanceof FleetHead next) {
            head = next;
        } else if (rowChange instanceof SiteHead next) {
            SiteHead before = siteHeads.put(next.site(), next);
            outdated |= before != null
                    && followed.contains(next.site())
                    && !Objects.equals(before.adoptOrderId(), next.adoptOrderId());
        }
    }

    /** The next offset of an input that has not been decided on, by the head rows. */
    long decidedUpTo(TablePartition tablePartition) {
        return ConsistentCut.decidedUpTo(head, siteHeads, tablePartition);
    }
}
