package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.orchestrator.chapter.JournalChapterScheduler;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One leader term, between polls: inputs are decided and put, then committed together. The term ends with the first
 * commit that fails.
 *
 * <p>Inputs that waited while there was no leader are decided before due work. Compaction may have removed older rows
 * of what is still being read, and a start decided in between would be based on part of the fleet.
 */
final class LeaderTerm {
    /** Progress of offsets alone is committed this often: it saves the next leader reading, and compares the clocks. */
    private static final long MAX_OFFSET_AGE_MILLIS = 10_000;

    private static final int OFFSETS_PER_COMMIT = 2_000;

    private final DecisionEngine decisionEngine;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor heartbeatMonitor;
    private final LeaderTermClock clock;
    private final TransactionalRowWriter writer;
    private final TransactionLimits transactionLimits;
    private final String name;
    private final LoopCrashPoint.CrashPointListener crashPointListener;
    private final LeaderTermListener listener;
    private final FailedDecisionTracker failedDecisions;
    private final Deque<DecodedRecord> pending = new ArrayDeque<>();
    private final SuspendedSiteRows suspendedSiteRows = new SuspendedSiteRows();
    private final Deque<DecisionInput> transitions = new ArrayDeque<>();
    private TransactionBuilder transactionBuilder;
    private final JournalChapterWriter journalChapterWriter;
    private boolean backlogEnded;
    private boolean catchingUp = true;
    private boolean clockInSync;
    private @Nullable Boolean clockCompared;
    private long lastCommitMillis;
    private long oldestInputMillis = Long.MAX_VALUE;
    private final TimeZoneRulesReader timeZoneRulesReader = new TimeZoneRulesReader();

    LeaderTerm(
            OrchestratorLoopConfig config,
            TableFollower follower,
            TransactionalRowWriter writer,
            JournalChapterScheduler journalChapterScheduler,
            FailedDecisionTracker failedDecisions) {
        this.failedDecisions = failedDecisions;
        this.name = config.name();
        this.decisionEngine = new DecisionEngine(config.decider().get(), follower.state());
        this.headRowWriter = new HeadRowWriter(follower.head(), follower.siteHeads());
        this.clock = new LeaderTermClock(config.clock(), follower.head().decidedAt());
        this.journalChapterWriter =
                new JournalChapterWriter(journalChapterScheduler, decisionEngine, headRowWriter, clock);
        this.heartbeatMonitor = new HeartbeatMonitor(
                List.of(), Map.of(), decisionEngine.state()::heartbeatTimeout, clock.machineTime());
        this.clockInSync = follower.head().clockInSync();
        this.writer = writer;
        this.transactionLimits = config.limits();
        this.crashPointListener = config.crashPoints();
        this.listener = config.listener();
        this.transactionBuilder = newTransaction();
        pending.addAll(follower.removeWaitingInputs());
    }

    FleetState state() {
        return decisionEngine.state();
    }

    Instant now() {
        return clock.now();
    }

    /** Monitors a site's heartbeats from now on. */
    void monitorHeartbeats(SiteId site, TableFollower follower) {
        journalChapterWriter.includeSite(site);
        heartbeatMonitor.monitorSite(site, follower.siteHeads().get(site), clock.machineTime());
        Long lastHeartbeat = follower.lastHeartbeats().get(site);
        if (lastHeartbeat != null) {
            heartbeatMonitor.recordHeartbeat(site, lastHeartbeat, clock.machineTime());
        }
    }

    /** Sets the offset from which an input is read. */
    void setNextOffset(TablePartition tablePartition, long next) {
        headRowWriter.setStartOffset(tablePartition, next);
    }

    /** Records the ids of the topics of the fleet or of a site that are read from now on. */
    void setTopicIds(PolicyScope scope, List<TopicId> topics) {
        headRowWriter.setTopicIds(scope, topics);
    }

    /** The offset of the first input that is not decided on. */
    long nextOffset(TablePartition tablePartition) {
        return headRowWriter.nextOffset(tablePartition);
    }

    Map<SiteId, SiteHead> siteHeads() {
        return headRowWriter.siteHeads();
    }

    void beginTerm() {
        decide(new DecisionInput.LeaderElected(now()));
        for (EntityKey subject : failedDecisions.removeParked()) {
            decide(new DecisionInput.SubjectParked(
                    subject,
                    "a decision about it failed twice because of a bug; the orchestrator's log has the stack trace",
                    now()));
        }
        commit();
    }

    /**
     * Ends the backlog: all inputs that waited when the term began are enqueued. Once they are decided on, due work may
     * be decided.
     */
    void endBacklog() {
        backlogEnded = true;
    }

    /** Adds the backlog of a site that is read only now; it is decided before due work, as at the start of a term. */
    void addBacklog(List<DecodedRecord> waiting) {
        pending.addAll(waiting);
        catchingUp = true;
    }

    /** Expects the backlog of a site that is resumed. */
    void expectBacklog() {
        backlogEnded = false;
        catchingUp = true;
    }

    void enqueueRecords(List<DecodedRecord> records) {
        pending.addAll(records);
    }

    /**
     * Suspends a site whose topics cannot be used. Its inputs that are not decided on are read again when it is
     * resumed.
     */
    void suspendSite(SiteId site, SiteTopicProblem problem) {
        suspendedSiteRows.suspendSite(site);
        journalChapterWriter.excludeSite(site);
        pending.removeIf(decodedRecord ->
                site.equals(decodedRecord.consumedRecord().partition().site()));
        decide(new DecisionInput.SiteUnreachable(site, problem.reason(), problem.lostTables(), now()));
    }

    /** Resumes a site: its withheld rows are written first, in their own transactions. */
    void resumeSite(SiteId site) {
        for (List<WireRecord> part : transactionLimits.splitRows(suspendedSiteRows.resumeSite(site))) {
            writer.begin();
            part.forEach(writer::send);
            writer.commit().nextOffsets().forEach(headRowWriter::setStartOffset);
        }
        journalChapterWriter.includeSite(site);
        decide(new DecisionInput.SiteReachable(site, now()));
    }

    /**
     * Decides as much as fits the transaction.
     *
     * @return whether there may be more to decide
     */
    boolean decideNext() {
        clock.readCalendar();
        compareClocks();
        transitions.addAll(heartbeatMonitor.pollTransitions(clock.machineTime(), now()));
        transitions.addAll(timeZoneRulesReader.readChanges(decisionEngine.state(), clock.elapsedMillis(), now()));
        while (!transitions.isEmpty() && transactionBuilder.hasRoom()) {
            decide(transitions.removeFirst());
        }
        while (!pending.isEmpty() && transactionBuilder.hasRoom()) {
            processRecord(pending.removeFirst());
            decideDueWork();
        }
        catchingUp &= !backlogEnded || !pending.isEmpty();
        boolean more = decideDueWork() || !pending.isEmpty() || !transitions.isEmpty();
        return (!catchingUp && journalChapterWriter.advanceChapter(transactionBuilder)) || more;
    }

    /** Decides due work. Returns whether there may be more. */
    private boolean decideDueWork() {
        boolean more = !catchingUp;
        Instant instant = now();
        while (more && transactionBuilder.hasRoom()) {
            more = decisionEngine.decideDueWork(instant, 1, this::addToTransaction) == 1;
        }
        return more;
    }

    /** Whether there is anything to commit. */
    boolean hasUncommitted() {
        return !transactionBuilder.isEmpty()
                || headRowWriter.unrecordedInputs() >= OFFSETS_PER_COMMIT
                || (headRowWriter.unrecordedInputs() > 0
                        && clock.elapsedMillis() - lastCommitMillis >= MAX_OFFSET_AGE_MILLIS);
    }

    /** Whether the state holds decisions that are not committed. */
    boolean hasUncommittedDecisions() {
        return !transactionBuilder.isEmpty();
    }

    /** Whether the commit is urgent: a worker waits to start or stop, or a chapter waits to go on. */
    boolean isUrgent() {
        return transactionBuilder.isUrgent();
    }

    boolean isFull() {
        return !transactionBuilder.hasRoom();
    }

    /** Whether decisions are dated ahead of the wall clock, and would be until the term ends. */
    boolean isClockAhead() {
        return clock.isAheadForWholeTerm();
    }

    /** Milliseconds since the last commit. */
    long millisSinceCommit() {
        return clock.elapsedMillis() - lastCommitMillis;
    }

    /** Milliseconds until the next due work; at most the limit. */
    long millisUntilDueWork(long limit) {
        long timer = decisionEngine.state().dueWork().nextTimerAt();
        return timer == Long.MAX_VALUE ? limit : Math.max(0, Math.min(limit, timer - clock.machineTime()));
    }

    void commit() {
        crashPointListener.onCrashPoint(LoopCrashPoint.DECIDED);
        decisionEngine.refreshDerivedState(now());
        long started = clock.elapsedMillis();
        Instant sent = now();
        List<WireRecord> records = transactionBuilder.buildRecords(suspendedSiteRows);
        writer.begin();
        crashPointListener.onCrashPoint(LoopCrashPoint.BEGUN);
        for (int i = 0; i < records.size(); i++) {
            if (i == records.size() / 2) {
                crashPointListener.onCrashPoint(LoopCrashPoint.HALF_SENT);
            }
            writer.send(records.get(i));
        }
        crashPointListener.onCrashPoint(LoopCrashPoint.SENT);
        TransactionalRowWriter.CommitResult commitResult = writer.commit();
        crashPointListener.onCrashPoint(LoopCrashPoint.COMMITTED);
        lastCommitMillis = clock.elapsedMillis();
        commitResult.nextOffsets().forEach(headRowWriter::setStartOffset);
        // Decision times must agree with the broker's clock: an earlier leader may have dated decisions ahead of every
        // clock.
        clock.observeAppendTime(commitResult.newestAppendedAt());
        clockCompared = LeaderTermClock.isClockInSync(
                sent, commitResult.newestAppendedAt(), now(), HeartbeatMonitor.MAX_CLOCK_DIFFERENCE);
        TransactionBuilder committedTransaction = transactionBuilder;
        transactionBuilder = newTransaction();
        journalChapterWriter.onCommit(commitResult);
        listener.onCommit(committedTransaction.decisions(), records, lastCommitMillis - started);
        reportInputDelay();
        crashPointListener.onCrashPoint(LoopCrashPoint.PUBLISHED);
    }

    private void reportInputDelay() {
        if (oldestInputMillis != Long.MAX_VALUE) {
            listener.onInputDelay(Math.max(0, now().toEpochMilli() - oldestInputMillis));
            oldestInputMillis = Long.MAX_VALUE;
        }
    }

    private TransactionBuilder newTransaction() {
        return new TransactionBuilder(transactionLimits, headRowWriter, decisionEngine.state(), name);
    }

    private void processRecord(DecodedRecord decodedRecord) {
        ConsumedRecord consumedRecord = decodedRecord.consumedRecord();
        oldestInputMillis = Math.min(oldestInputMillis, consumedRecord.appendedAt());
        headRowWriter.recordRead(consumedRecord.partition(), consumedRecord.offset() + 1, 1);
        switch (decodedRecord.decode()) {
            case DecodeResult.Rejected<RowChange> rejected -> reject(consumedRecord, rejected.firstRejection());
            case DecodeResult.Accepted<RowChange> accepted -> {
                decide(consumedRecord, accepted.value());
                if (accepted.value() instanceof WatcherHeartbeat heartbeat) {
                    recordHeartbeat(heartbeat.site(), consumedRecord.appendedAt());
                }
            }
        }
    }

    /**
     * Rejects an input whose decision Kafka would reject as too large, or that is parked after a bug. Otherwise each
     * leader would decide on it again, and never on the inputs after it.
     */
    private void decide(ConsumedRecord consumedRecord, RowChange rowChange) {
        if (failedDecisions.isParked(consumedRecord)) {
            reject(consumedRecord, RejectedRecordFactory.failedDecisionDetail());
            return;
        }
        try {
            RejectedRecord defect = RejectedRecordFactory.defectRow(consumedRecord, rowChange, now());
            decide(new DecisionInput.RecordReceived(
                    rowChange, consumedRecord.partition().partition(), consumedRecord.offset(), defect, now()));
        } catch (DecisionTooLargeException large) {
            reject(consumedRecord, RejectedRecordFactory.tooLargeDetail(large));
        } catch (RuntimeException bug) {
            throw new FailedDecisionTracker.InputDecisionException(consumedRecord, bug);
        }
    }

    private void reject(ConsumedRecord consumedRecord, RejectionDetail detail) {
        listener.onRejected(consumedRecord, detail);
        decide(new DecisionInput.RecordUnreadable(
                RejectedRecordFactory.rejectedRow(consumedRecord, detail, now()), now()));
    }

    private void recordHeartbeat(SiteId site, long appendedAt) {
        heartbeatMonitor.recordHeartbeat(site, appendedAt, clock.machineTime());
        if (heartbeatMonitor.endsSilence(site, appendedAt, clock.machineTime())) {
            decide(new DecisionInput.HeartbeatResumed(site, now()));
        }
    }

    private void compareClocks() {
        Boolean compared = clockCompared;
        clockCompared = null;
        if (compared != null && compared != clockInSync) {
            clockInSync = compared;
            decide(new DecisionInput.ClockCompared(compared, now()));
        }
    }

    private void decide(DecisionInput input) {
        decisionEngine.processInput(input, 0, this::addToTransaction);
    }

    private void addToTransaction(Decision decision) {
        transactionBuilder.add(decision);
    }

    Collection<DecodedRecord> pending() {
        return pending;
    }
}
