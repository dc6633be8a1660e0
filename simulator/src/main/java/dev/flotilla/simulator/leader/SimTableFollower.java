package dev.flotilla.simulator.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.RestoredTables;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads tables into a fleet state. It reads everything committed from the orchestrator's own tables, and from the
 * inputs only what the head rows say was decided on; the rest is left to be polled.
 */
public final class SimTableFollower {
    private final RestoredTables tables = new RestoredTables();
    private final SimKafkaLog log;
    private final SimLogReader reader;
    private final List<TablePartition> inputPartitions = OrchestratorPartitions.inputsOfFleet();
    private final List<TablePartition> outputPartitions = OrchestratorPartitions.outputsOfFleet();
    private final Set<SiteId> sites = new LinkedHashSet<>();
    private final OrchestratorSafeguards safeguards;

    public SimTableFollower(SimKafkaLog log, List<SiteId> sites, OrchestratorSafeguards safeguards) {
        this.log = log;
        this.safeguards = safeguards;
        this.reader = new SimLogReader(log, !safeguards.readsCommittedOnly());
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
        return tables.state();
    }

    FleetHead head() {
        return tables.head();
    }

    Map<SiteId, SiteHead> siteHeads() {
        return tables.siteHeads();
    }

    /** Whether what it has read of a site is out of date: other topics were adopted since, or records were lost. */
    boolean isOutdated() {
        return tables.outdatedSite() != null || reader.hasOffsetMovedBack();
    }

    /** Reads only the head rows, which name the topics that the tables of each site were read from. */
    void readHeads() {
        readOutputs(List.of(TablePartition.of(Table.HEAD)), tables);
    }

    /** Reads all that there is. It sees whole transactions, because nothing is committed meanwhile. */
    public void follow() {
        readOutputs(outputPartitions, tables);
        readInputs(inputPartitions, tables);
        for (SiteId site : sites) {
            state().markRestored(site);
            tables.followSite(site);
        }
    }

    /** Reads one more site into the state of a term that has begun, up to the offsets in its head rows. */
    void join(SiteId site, Map<SiteId, SiteHead> heads) {
        sites.add(site);
        RestoredTables joined = new RestoredTables(state(), heads);
        readOutputs(OrchestratorPartitions.outputsOf(site), joined);
        readInputs(OrchestratorPartitions.inputsOf(site), joined);
        sites.forEach(state()::markRestored);
    }

    private void readOutputs(List<TablePartition> partitions, RestoredTables into) {
        for (TablePartition tablePartition : partitions) {
            for (SimLogReader.FetchedRecord fetchedRecord : reader.upTo(tablePartition, log.end(tablePartition))) {
                RowChange rowChange = fetchedRecord.rowChange();
                if (rowChange != null && isRead(fetchedRecord)) {
                    into.applyOwnRow(rowChange);
                }
            }
        }
    }

    private void readInputs(List<TablePartition> partitions, RestoredTables into) {
        for (TablePartition tablePartition : partitions) {
            List<SimLogReader.FetchedRecord> decided =
                    new ArrayList<>(reader.upTo(tablePartition, into.decidedUpTo(tablePartition)));
            decided.removeIf(fetchedRecord -> !isRead(fetchedRecord));
            into.applyInputs(decided);
        }
    }

    private boolean isRead(SimLogReader.FetchedRecord fetchedRecord) {
        return fetchedRecord.logged().key().table() != safeguards.unreadTable();
    }

    /** The next offset of an input that has not been decided on, by the head rows. */
    long decidedUpTo(TablePartition tablePartition) {
        return tables.decidedUpTo(tablePartition);
    }
}
