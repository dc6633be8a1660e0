package dev.flotilla.core.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one leader term decides between two commits, and in which order: first what it has observed itself, then inputs,
 * each with the work that it makes due. The shell polls, commits, and ends the term with the first commit that fails.
 *
 * <p>Inputs that waited while there was no leader are decided before due work. Compaction may have removed older rows
 * of what is still being read, and a start decided in between would be based on part of the fleet.
 */
public final class LeaderTermDecider {
    private final DecisionEngine decisionEngine;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor heartbeatMonitor;
    private final TermTimeSource clock;
    private final TimeZoneRulesReader timeZoneRulesReader;
    private final FailedDecisionTracker failedDecisions;
    private final Consumer<RejectedRecord> rejectionListener;
    private final Deque<InputRecord> pending = new ArrayDeque<>();
    private final Deque<DecisionInput> transitions = new ArrayDeque<>();
    private OpenTransaction transaction;
    private boolean backlogEnded;
    private boolean catchingUp = true;
    private boolean clockInSync;
    private @Nullable Boolean clockCompared;
    private long oldestInputMillis = Long.MAX_VALUE;

    /**
     * Starts a term.
     *
     * @param first receives the first decisions
     * @param rejectionListener receives the row of each record that is rejected
     */
    public LeaderTermDecider(
            DecisionEngine decisionEngine,
            HeadRowWriter headRowWriter,
            HeartbeatMonitor heartbeatMonitor,
            TermTimeSource clock,
            TimeZoneRulesReader timeZoneRulesReader,
            FailedDecisionTracker failedDecisions,
            OpenTransaction first,
            Consumer<RejectedRecord> rejectionListener) {
        this.decisionEngine = decisionEngine;
        this.headRowWriter = headRowWriter;
        this.heartbeatMonitor = heartbeatMonitor;
        this.clock = clock;
        this.timeZoneRulesReader = timeZoneRulesReader;
        this.failedDecisions = failedDecisions;
        this.transaction = first;
        this.rejectionListener = rejectionListener;
        this.clockInSync = headRowWriter.head().clockInSync();
    }

    /** Begins the term: parks the work that failed twice. */
    public void beginTerm() {
        decide(new DecisionInput.LeaderElected(clock.now()));
        for (EntityKey subject : failedDecisions.removeParked()) {
            decide(new DecisionInput.SubjectParked(
                    subject,
                    "a decision about it failed twice because of a bug; the orchestrator's log has the stack trace",
                    clock.now()));
        }
    }

    /** Decides into another transaction from now on: the one before is committed. */
    public void startTransaction(OpenTransaction next) {
        transaction = next;
    }

    /**
     * Ends the backlog: all inputs that waited when the term began are enqueued. Once they are decided on, due work may
     * be decided.
     */
    public void endBacklog() {
        backlogEnded = true;
    }

    /** Expects the backlog of a site that is resumed. */
    public void expectBacklog() {
        backlogEnded = false;
        catchingUp = true;
    }

    /** Adds the backlog of a site that is read only now; it is decided before due work, as at the start of a term. */
    public void addBacklog(List<? extends InputRecord> waiting) {
        pending.addAll(waiting);
        catchingUp = true;
    }

    /** Enqueues polled records, to be decided on in their order. */
    public void enqueueRecords(Collection<? extends InputRecord> records) {
        pending.addAll(records);
    }

    /** The number of enqueued records that are not decided on. */
    public int countPending() {
        return pending.size();
    }

    /** Whether waiting inputs are still decided, so that no due work is. */
    public boolean isCatchingUp() {
        return catchingUp;
    }

    /** Records whether the clocks of leader and broker agree. A change is decided next. */
    public void recordClockComparison(boolean agree) {
        clockCompared = agree;
    }

    /**
     * Decides that a site's topics cannot be used. Its inputs that are not decided on are read again when it is
     * resumed.
     */
    public void suspendSite(SiteId site, SiteTopicProblem problem) {
        pending.removeIf(input -> site.equals(input.partition().site()));
        decide(new DecisionInput.SiteUnreachable(site, problem.reason(), problem.lostTables(), clock.now()));
    }

    /** Decides that a site's topics can be used again. Its withheld rows are written already. */
    public void resumeSite(SiteId site) {
        decide(new DecisionInput.SiteReachable(site, clock.now()));
    }

    /**
     * Decides as much as fits the transaction.
     *
     * @return whether there may be more to decide
     */
    public boolean decideNext() {
        compareClocks();
        transitions.addAll(heartbeatMonitor.pollTransitions(clock.machineTime(), clock.now()));
        transitions.addAll(timeZoneRulesReader.readChanges(decisionEngine.state(), clock.elapsedMillis(), clock.now()));
        while (!transitions.isEmpty() && transaction.hasRoom()) {
            decide(transitions.removeFirst());
        }
        while (!pending.isEmpty() && transaction.hasRoom()) {
            processRecord(pending.removeFirst());
            decideDueWork();
        }
        catchingUp &= !backlogEnded || !pending.isEmpty();
        return decideDueWork() || !pending.isEmpty() || !transitions.isEmpty();
    }

    /** Decides due work. Returns whether there may be more. */
    private boolean decideDueWork() {
        boolean more = !catchingUp;
        Instant instant = clock.now();
        while (more && transaction.hasRoom()) {
            more = decisionEngine.decideDueWork(instant, 1, this::addToTransaction) == 1;
        }
        return more;
    }

    /** When the broker appended the oldest input since the last call, in milliseconds; null if there was none. */
    public @Nullable Long removeOldestInputTime() {
        long oldest = oldestInputMillis;
        oldestInputMillis = Long.MAX_VALUE;
        return oldest == Long.MAX_VALUE ? null : oldest;
    }

    private void processRecord(InputRecord input) {
        oldestInputMillis = Math.min(oldestInputMillis, input.appendedAt());
        headRowWriter.recordRead(input.partition(), input.offset() + 1, 1);
        RowChange rowChange = input.rowChange();
        if (rowChange == null) {
            reject(Objects.requireNonNull(input.findDefect(clock.now()), "an unreadable record has a defect"));
            return;
        }
        decide(input, rowChange);
        if (rowChange instanceof WatcherHeartbeat heartbeat) {
            recordHeartbeat(heartbeat.site(), input.appendedAt());
        }
    }

    /**
     * Rejects an input whose decision Kafka would reject as too large, or that is parked after a bug. Otherwise each
     * leader would decide on it again, and never on the inputs after it.
     */
    private void decide(InputRecord input, RowChange rowChange) {
        if (failedDecisions.isParked(input)) {
            reject(RejectedRecordFactory.cannotBeDecided(input, clock.now()));
            return;
        }
        try {
            decide(new DecisionInput.RecordReceived(
                    rowChange,
                    input.partition().partition(),
                    input.offset(),
                    input.findDefect(clock.now()),
                    clock.now()));
        } catch (DecisionTooLargeException large) {
            reject(RejectedRecordFactory.tooLarge(input, large, clock.now()));
        } catch (RuntimeException bug) {
            throw new FailedDecisionTracker.InputDecisionException(input, bug);
        }
    }

    private void reject(RejectedRecord rejected) {
        rejectionListener.accept(rejected);
        decide(new DecisionInput.RecordUnreadable(rejected, rejected.rejectedAt()));
    }

    private void recordHeartbeat(SiteId site, long appendedAt) {
        heartbeatMonitor.recordHeartbeat(site, appendedAt, clock.machineTime());
        if (heartbeatMonitor.endsSilence(site, appendedAt, clock.machineTime())) {
            decide(new DecisionInput.HeartbeatResumed(site, clock.now()));
        }
    }

    private void compareClocks() {
        Boolean compared = clockCompared;
        clockCompared = null;
        if (compared != null && compared != clockInSync) {
            clockInSync = compared;
            decide(new DecisionInput.ClockCompared(compared, clock.now()));
        }
    }

    private void decide(DecisionInput input) {
        decisionEngine.processInput(input, 0, this::addToTransaction);
    }

    private void addToTransaction(Decision decision) {
        transaction.add(decision);
    }
}
