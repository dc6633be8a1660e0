package dev.flotilla.simulator.check;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.leader.CommitCheckContext;
import dev.flotilla.simulator.leader.OrchestratorSafeguards;
import dev.flotilla.simulator.leader.RejectedRecordFactory;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.leader.SimTableFollower;
import dev.flotilla.simulator.log.CommittedTableRows;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * After a commit the leader's state, a standby's, and one restored from the tables in any order are the same. Inputs are
 * taken up to the offsets of the head rows, which never go back.
 *
 * <p>The standby that is looked at after each commit is one of the checker's own: to ask an orchestrator for its state
 * would make it read on, and some are to be behind when they take over. Those are looked at whenever they have read.
 */
final class ReplicaStateInvariants {
    private static final int WHOLE_EVERY = 20;

    private final SimKafkaLog log;
    private final List<SiteId> sites;
    private final SimLogReader inputs;
    private final SeededRandom chance;
    private final ViolationLog violationLog;
    private SimTableFollower standby;
    private final StateComparisonIntervals comparisons;
    private final CommittedTableRows tables = new CommittedTableRows();
    private final Map<TablePartition, Long> offsets = new LinkedHashMap<>();
    private long commits;
    private boolean whole;

    /** Whether the leader has read what the tables hold, and not what they held before somebody adopted others. */
    private boolean asRead = true;

    private String last = "";
    private @Nullable Long leaderHash;

    ReplicaStateInvariants(
            SimKafkaLog log,
            List<SiteId> sites,
            SeededRandom chance,
            ViolationLog violationLog,
            List<SimOrchestrator> orchestrators,
            StateComparisonIntervals comparisons) {
        this.log = log;
        this.sites = sites;
        this.inputs = new SimLogReader(log);
        for (TablePartition tablePartition : OrchestratorPartitions.inputs(sites)) {
            inputs.seek(tablePartition, 0);
        }
        this.chance = chance;
        this.violationLog = violationLog;
        this.comparisons = comparisons;
        this.standby = new SimTableFollower(log, sites, OrchestratorSafeguards.GOOD);
        for (SimOrchestrator orchestrator : orchestrators) {
            String name = "standby " + orchestrator.process().name();
            orchestrator.onStandbyRead(standing -> {
                if (leaderHash != null && whole && standing.sites().containsAll(sites)) {
                    compare(name, standing.state().quickHash());
                }
            });
        }
    }

    /** What a leader kept back for a site is in its tables now. */
    void siteRowsReleased(CommitCheckContext.ReleasedSiteRows releasedSiteRows) {
        releasedSiteRows.rows().values().forEach(tables::put);
    }

    /** Somebody has written a row that else only a leader writes: while none was there. */
    void byHand(RowChange rowChange) {
        tables.put(rowChange);
        leaderHash = null;
    }

    /** The inputs of a site are decided on from their beginnings. */
    void adopted(SiteId site) {
        for (TablePartition tablePartition : OrchestratorPartitions.inputsOf(site)) {
            offsets.remove(tablePartition);
            inputs.seek(tablePartition, 0);
        }
        asRead = false;
    }

    /** These rows are as they stand in their tables now. */
    void readAnew(Predicate<RowKey> changed, List<TableRow> left) {
        tables.removeIf(changed);
        left.forEach(tables::put);
        standby = new SimTableFollower(log, sites, OrchestratorSafeguards.GOOD);
        leaderHash = null;
        asRead = true;
    }

    /**
     * After a commit.
     *
     * @param follows whether who follows from time to time has missed nothing: no topic has lost what was not read of it
     */
    void check(CommitCheckContext commit, boolean follows) {
        DecisionBatch batch = commit.batch();
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            if (!commit.withheldRows().containsKey(row.getKey())) {
                tables.put(row.getValue());
            }
        }
        whole = commit.isComplete(sites) && asRead;
        advance(batch.state(), null, batch.head().offsets());
        for (SiteHead head : batch.siteHeads().values()) {
            advance(batch.state(), head.site(), head.offsets());
        }
        commits++;
        boolean follow = whole && follows && commits % comparisons.standby() == 0;
        boolean restore = commits % comparisons.restore() == 0;
        last = "at seq " + batch.head().seq() + " of leader " + batch.leader();
        leaderHash = !follow && !restore ? null : hash(batch.state());
        if (follow) {
            standby.follow();
            compare("a standby that follows", standby.state().quickHash());
        }
        if (restore) {
            compare("a restore from the tables", restored(commit).hash());
        }
    }

    /** Quickly, and now and then in whole: a row that changed without a put shows then. */
    private long hash(FleetState leader) {
        return commits % WHOLE_EVERY == 0 ? leader.hash() : leader.quickHash();
    }

    /** Holds a state that is as of the last commit against the leader's. */
    private void compare(String whose, long hash) {
        if (leaderHash != null && leaderHash != hash) {
            violationLog.addViolation(
                    Invariant.SAME_ROWS, last + " the state of " + whose + " differs from the leader's");
        }
    }

    private void advance(FleetState leader, @Nullable SiteId site, List<PartitionOffset> next) {
        for (PartitionOffset offset : next) {
            TablePartition tablePartition = new TablePartition(offset.table(), site, offset.partition());
            Long before = offsets.put(tablePartition, offset.nextOffset());
            violationLog.require(
                    before == null || before <= offset.nextOffset(),
                    Invariant.SAME_ROWS,
                    "the offset of " + tablePartition + " went back from " + before + " to " + offset.nextOffset());
            for (SimLogReader.FetchedRecord fetchedRecord : inputs.upTo(tablePartition, offset.nextOffset())) {
                RowChange rowChange = fetchedRecord.logged().rowChange();
                // A record that nobody can read, or decide on, takes the place of what was there.
                boolean lost = rowChange == null
                        || RejectedRecordFactory.isRejected(leader, tablePartition, fetchedRecord.logged());
                tables.put(
                        rowChange == null || lost
                                ? new Tombstone(fetchedRecord.logged().key())
                                : rowChange);
            }
        }
    }

    /** Of sites that the leader has not read only the head rows; of those that are set aside what it has decided. */
    private FleetState restored(CommitCheckContext commit) {
        List<RowChange> shuffled = new ArrayList<>();
        for (TableRow row : tables.all()) {
            SiteId site = RecordKeyFormat.siteOf(row.rowKey());
            if ((site == null || commit.readSites().contains(site))
                    && !commit.withheldRows().containsKey(row.rowKey())) {
                shuffled.add(row);
            }
        }
        shuffled.addAll(commit.withheldRows().values());
        chance.shuffle(shuffled);
        FleetState state = new FleetState();
        for (RowChange row : shuffled) {
            state.put(row);
        }
        commit.readSites().forEach(state::markRestored);
        return state;
    }
}
