package dev.flotilla.simulator.check;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.leader.Commit;
import dev.flotilla.simulator.leader.Follower;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.leader.Rejections;
import dev.flotilla.simulator.leader.ShellHabits;
import dev.flotilla.simulator.log.CommittedRows;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.world.Chance;
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
final class SameRows {
    private static final int WHOLE_EVERY = 20;

    private final SimLog log;
    private final List<SiteId> sites;
    private final LogReader inputs;
    private final Chance chance;
    private final Verdicts verdicts;
    private Follower standby;
    private final Comparisons comparisons;
    private final CommittedRows tables = new CommittedRows();
    private final Map<TablePartition, Long> offsets = new LinkedHashMap<>();
    private long commits;
    private boolean whole;

    /** Whether the leader has read what the tables hold, and not what they held before somebody adopted others. */
    private boolean asRead = true;

    private String last = "";
    private @Nullable Long leaderHash;

    SameRows(
            SimLog log,
            List<SiteId> sites,
            Chance chance,
            Verdicts verdicts,
            List<Orchestrator> orchestrators,
            Comparisons comparisons) {
        this.log = log;
        this.sites = sites;
        this.inputs = new LogReader(log);
        for (TablePartition tablePartition : OrchestratorPartitions.inputs(sites)) {
            inputs.seek(tablePartition, 0);
        }
        this.chance = chance;
        this.verdicts = verdicts;
        this.comparisons = comparisons;
        this.standby = new Follower(log, sites, ShellHabits.GOOD);
        for (Orchestrator orchestrator : orchestrators) {
            String name = "standby " + orchestrator.process().name();
            orchestrator.listen(standing -> {
                if (leaderHash != null && whole && standing.sites().containsAll(sites)) {
                    compare(name, standing.state().quickHash());
                }
            });
        }
    }

    /** What a leader kept back for a site is in its tables now. */
    void written(Commit.Kept kept) {
        kept.rows().values().forEach(tables::put);
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
        standby = new Follower(log, sites, ShellHabits.GOOD);
        leaderHash = null;
        asRead = true;
    }

    /**
     * After a commit.
     *
     * @param follows whether who follows from time to time has missed nothing: no topic has lost what was not read of it
     */
    void check(Commit commit, boolean follows) {
        DecisionBatch batch = commit.batch();
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            if (!commit.kept().containsKey(row.getKey())) {
                tables.put(row.getValue());
            }
        }
        whole = commit.isWhole(sites) && asRead;
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
            verdicts.broken(Invariant.SAME_ROWS, last + " the state of " + whose + " differs from the leader's");
        }
    }

    private void advance(FleetState leader, @Nullable SiteId site, List<PartitionOffset> next) {
        for (PartitionOffset offset : next) {
            TablePartition tablePartition = new TablePartition(offset.table(), site, offset.partition());
            Long before = offsets.put(tablePartition, offset.nextOffset());
            verdicts.require(
                    before == null || before <= offset.nextOffset(),
                    Invariant.SAME_ROWS,
                    "the offset of " + tablePartition + " went back from " + before + " to " + offset.nextOffset());
            for (LogReader.Fetched fetched : inputs.upTo(tablePartition, offset.nextOffset())) {
                RowChange rowChange = fetched.logged().fact();
                // A record that nobody can read, or decide on, takes the place of what was there.
                boolean lost = rowChange == null || Rejections.isRejected(leader, tablePartition, fetched.logged());
                tables.put(rowChange == null || lost ? new Tombstone(fetched.logged().key()) : rowChange);
            }
        }
    }

    /** Of sites that the leader has not read only the head rows; of those that are set aside what it has decided. */
    private FleetState restored(Commit commit) {
        List<RowChange> shuffled = new ArrayList<>();
        for (TableRow row : tables.all()) {
            SiteId site = RecordKeyFormat.siteOf(row.rowKey());
            if ((site == null || commit.read().contains(site)) && !commit.kept().containsKey(row.rowKey())) {
                shuffled.add(row);
            }
        }
        shuffled.addAll(commit.kept().values());
        chance.shuffle(shuffled);
        FleetState state = new FleetState();
        for (RowChange row : shuffled) {
            state.put(row);
        }
        commit.read().forEach(state::markRestored);
        return state;
    }
}
