package dev.flotilla.simulator.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
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
 * Reads tables into a state by put. Of the orchestrator's own tables it takes everything committed; of the inputs it
 * takes what has been decided on, which the head rows say, and leaves the rest to be polled.
 */
public final class SimTableFollower {
    private final FleetState state = new FleetState();
    private final SimKafkaLog log;
    private final SimLogReader reader;
    private final List<TablePartition> inputs = OrchestratorPartitions.inputsOfFleet();
    private final List<TablePartition> outputs = OrchestratorPartitions.outputsOfFleet();
    private final Set<SiteId> sites = new LinkedHashSet<>();
    private final OrchestratorSafeguards habits;
    private final Map<SiteId, SiteHead> siteHeads = new LinkedHashMap<>();
    private final Set<SiteId> followed = new LinkedHashSet<>();
    private FleetHead head = FleetHead.NONE;
    private boolean outdated;

    public SimTableFollower(SimKafkaLog log, List<SiteId> sites, OrchestratorSafeguards habits) {
        this.log = log;
        this.habits = habits;
        this.reader = new SimLogReader(log, !habits.readsCommittedOnly());
        sites.forEach(this::add);
    }

    /** From here on the tables of one more site are read. */
    void add(SiteId site) {
        if (sites.add(site)) {
            inputs.addAll(OrchestratorPartitions.inputsOf(site));
            outputs.addAll(OrchestratorPartitions.outputsOf(site));
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

    /** Whether what it has read of a site is no longer what the site's tables are: other topics were adopted since, or records lost. */
    boolean isOutdated() {
        return outdated || reader.hasOffsetMovedBack();
    }

    /** Takes in the head rows alone, which say of what topics the tables of the sites are. */
    void readHeads() {
        outputs(List.of(TablePartition.of(Table.HEAD)));
    }

    /** Takes in what there is. Transactions are taken whole: nothing is committed in the meantime. */
    public void follow() {
        outputs(outputs);
        inputs(inputs, head, siteHeads);
        sites.forEach(state::markRestored);
        followed.addAll(sites);
    }

    /** Takes in all of one more site, into the state of a term that has begun, as far as its head rows say. */
    void join(SiteId site, FleetHead known, Map<SiteId, SiteHead> heads) {
        sites.add(site);
        outputs(OrchestratorPartitions.outputsOf(site));
        inputs(OrchestratorPartitions.inputsOf(site), known, heads);
        state.markRestored(site);
    }

    private void outputs(List<TablePartition> places) {
        for (TablePartition tablePartition : places) {
            for (SimLogReader.FetchedRecord fetchedRecord : reader.upTo(tablePartition, log.end(tablePartition))) {
                RowChange rowChange = fetchedRecord.logged().rowChange();
                if (rowChange != null) {
                    heads(rowChange);
                    put(rowChange);
                }
            }
        }
    }

    private void inputs(List<TablePartition> places, FleetHead known, Map<SiteId, SiteHead> heads) {
        for (TablePartition tablePartition : places) {
            newest(reader.upTo(tablePartition, ConsistentCut.decidedUpTo(known, heads, tablePartition)))
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

    /** Of a key whose newest record nobody can read no row is taken: an older one may be compacted away or not. */
    private static Map<RowKey, SimLogRecord> newest(List<SimLogReader.FetchedRecord> fetched) {
        Map<RowKey, SimLogRecord> newest = new LinkedHashMap<>();
        for (SimLogReader.FetchedRecord one : fetched) {
            newest.put(one.logged().key(), one.logged());
        }
        return newest;
    }

    private void put(RowChange rowChange) {
        if (rowChange.rowKey().table() != habits.unreadTable()) {
            state.put(rowChange);
        }
    }

    void heads(RowChange rowChange) {
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
