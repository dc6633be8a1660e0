package dev.flotilla.simulator.check;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.RejectedRecordFactory;
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
 * After a commit the leader's state, a standby's state, and a state restored from the tables in any order are equal.
 * Inputs are included up to the offsets in the head rows, which never decrease.
 *
 * <p>The standby that is checked after each commit belongs to the checker: asking an orchestrator for its state would
 * make it read on, and some must be behind when they take over. Those are checked whenever they have read.
 */
final class ReplicaStateInvariants {
    private static final int FULL_HASH_INTERVAL = 20;

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
    private boolean isComplete;

    /** Whether the leader has read the current tables, and not those from before an adoption. */
    private boolean isCurrent = true;

    private String lastCommit = "";
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
            orchestrator.onStandbyRead(follower -> {
                if (leaderHash != null && isComplete && follower.sites().containsAll(sites)) {
                    compare(name, follower.state().quickHash());
                }
            });
        }
    }

    /** Records that withheld rows of a site are now in its tables. */
    void siteRowsReleased(CommitCheckContext.ReleasedSiteRows releasedSiteRows) {
        releasedSiteRows.rows().values().forEach(tables::put);
    }

    /** Records a row that an operator has written in the leader's place, while there was no leader. */
    void recordManualWrite(RowChange rowChange) {
        tables.put(rowChange);
        leaderHash = null;
    }

    /** Records that a site was adopted: its inputs are decided on from their beginnings. */
    void adopted(SiteId site) {
        for (TablePartition tablePartition : OrchestratorPartitions.inputsOf(site)) {
            offsets.remove(tablePartition);
            inputs.seek(tablePartition, 0);
        }
        isCurrent = false;
    }

    /** Records that these rows changed in their tables outside of decisions. */
    void rowsReread(Predicate<RowKey> changed, List<TableRow> left) {
        tables.removeIf(changed);
        left.forEach(tables::put);
        standby = new SimTableFollower(log, sites, OrchestratorSafeguards.GOOD);
        leaderHash = null;
        isCurrent = true;
    }

    /**
     * Checks a commit.
     *
     * @param follows whether the standby has missed nothing: no topic has lost records that it had not read
     */
    void check(CommitCheckContext commit, boolean follows) {
        DecisionBatch batch = commit.batch();
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            if (!commit.withheldRows().containsKey(row.getKey())) {
                tables.put(row.getValue());
            }
        }
        isComplete = commit.isComplete(sites) && isCurrent;
        advance(batch.state(), null, batch.head().offsets());
        for (SiteHead head : batch.siteHeads().values()) {
            advance(batch.state(), head.site(), head.offsets());
        }
        commits++;
        boolean follow = isComplete && follows && commits % comparisons.standby() == 0;
        boolean restore = commits % comparisons.restore() == 0;
        lastCommit = "at seq " + batch.head().seq() + " of leader " + batch.leader();
        leaderHash = !follow && !restore ? null : hash(batch.state());
        if (follow) {
            standby.follow();
            compare("a standby that follows", standby.state().quickHash());
        }
        if (restore) {
            compare("a restore from the tables", restored(commit).hash());
        }
    }

    /** A quick hash, and sometimes a full one, which shows a row that changed without a put. */
    private long hash(FleetState leader) {
        return commits % FULL_HASH_INTERVAL == 0 ? leader.hash() : leader.quickHash();
    }

    /** Compares a state as of the last commit with the leader's. */
    private void compare(String whose, long hash) {
        if (leaderHash != null && leaderHash != hash) {
            violationLog.addViolation(
                    Invariant.SAME_ROWS, lastCommit + " the state of " + whose + " differs from the leader's");
        }
    }

    private void advance(FleetState leader, @Nullable SiteId site, List<PartitionOffset> next) {
        for (PartitionOffset offset : next) {
            TablePartition tablePartition = new TablePartition(offset.table(), site, offset.partition());
            Long before = offsets.put(tablePartition, offset.nextOffset());
            violationLog.require(
                    before == null || before <= offset.nextOffset(),
                    Invariant.SAME_ROWS,
                    () -> "the offset of " + tablePartition + " decreased from " + before + " to "
                            + offset.nextOffset());
            for (SimLogReader.FetchedRecord fetchedRecord : inputs.upTo(tablePartition, offset.nextOffset())) {
                RowChange rowChange = fetchedRecord.logged().rowChange();
                // A record that is unreadable or cannot be decided on replaces the row before it.
                boolean lost = rowChange == null || RejectedRecordFactory.isRejected(leader, fetchedRecord);
                tables.put(
                        rowChange == null || lost
                                ? new Tombstone(fetchedRecord.logged().key())
                                : rowChange);
            }
        }
    }

    /** A state restored from the tables: of unread sites only the head rows, of suspended sites what was decided. */
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
