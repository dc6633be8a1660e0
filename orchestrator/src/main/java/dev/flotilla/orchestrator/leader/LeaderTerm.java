package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.FailedDecisionTracker;
import dev.flotilla.core.leader.HeadRowWriter;
import dev.flotilla.core.leader.HeartbeatMonitor;
import dev.flotilla.core.leader.LeaderTermDecider;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.core.leader.SuspendedSiteRows;
import dev.flotilla.core.leader.TimeZoneRulesReader;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.orchestrator.chapter.JournalChapterScheduler;
import dev.flotilla.orchestrator.follow.DecodedRecord;
import dev.flotilla.orchestrator.follow.TableFollower;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The transactions of one leader term: what {@link LeaderTermDecider} decides is committed together. The term ends with
 * the first commit that fails.
 */
final class LeaderTerm {
    /** Progress of offsets alone is committed this often: it saves the next leader reading, and compares the clocks. */
    private static final long MAX_OFFSET_AGE_MILLIS = 10_000;

    private static final int OFFSETS_PER_COMMIT = 2_000;

    private static final long TIME_ZONE_INTERVAL_MILLIS = 1_000;

    private final DecisionEngine decisionEngine;
    private final LeaderTermDecider decider;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor heartbeatMonitor;
    private final LeaderTermClock clock;
    private final TransactionalRowWriter writer;
    private final TransactionLimits transactionLimits;
    private final String name;
    private final boolean traced;
    private final Consumer<LoopCrashPoint> crashPoints;
    private final OrchestratorListener listener;
    private final SuspendedSiteRows<WireRecord> suspendedSiteRows = new SuspendedSiteRows<>();
    private final JournalChapterWriter journalChapterWriter;
    private TransactionBuilder transactionBuilder;
    private long lastCommitMillis;

    LeaderTerm(
            OrchestratorLoopConfig config,
            TableFollower follower,
            TransactionalRowWriter writer,
            JournalChapterScheduler journalChapterScheduler,
            FailedDecisionTracker failedDecisions) {
        this.name = config.name();
        this.traced = config.traced();
        this.decisionEngine = new DecisionEngine(config.decider().get(), follower.state());
        this.headRowWriter = new HeadRowWriter(follower.head(), follower.siteHeads());
        this.clock = new LeaderTermClock(config.clock(), follower.head().decidedAt());
        this.journalChapterWriter =
                new JournalChapterWriter(journalChapterScheduler, decisionEngine, headRowWriter, clock);
        this.heartbeatMonitor = new HeartbeatMonitor(
                List.of(), Map.of(), decisionEngine.state()::heartbeatTimeout, clock.machineTime());
        this.writer = writer;
        this.transactionLimits = config.limits();
        this.crashPoints = config.crashPoints();
        this.listener = config.listener();
        this.transactionBuilder = newTransaction();
        this.decider = new LeaderTermDecider(
                decisionEngine,
                headRowWriter,
                heartbeatMonitor,
                clock,
                new TimeZoneRulesReader(TimeZoneRules::fromJvm, TIME_ZONE_INTERVAL_MILLIS),
                failedDecisions,
                transactionBuilder,
                listener::onRejected);
        decider.enqueueRecords(follower.removeWaitingInputs());
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
        decider.beginTerm();
        commit();
    }

    /** Ends the backlog: all inputs that waited when the term began are enqueued. */
    void endBacklog() {
        decider.endBacklog();
    }

    /** Adds the backlog of a site that was read only now. Its withheld rows are newer than what was read. */
    void addBacklog(SiteId site, List<DecodedRecord> waiting) {
        suspendedSiteRows.reapplyRows(site, decisionEngine.state());
        decider.addBacklog(waiting);
    }

    /** Expects the backlog of a site that is resumed. */
    void expectBacklog() {
        decider.expectBacklog();
    }

    void enqueueRecords(List<DecodedRecord> records) {
        decider.enqueueRecords(records);
    }

    /** The number of enqueued records that are not decided on. */
    int countPending() {
        return decider.countPending();
    }

    /** Suspends a site whose topics cannot be used. */
    void suspendSite(SiteId site, SiteTopicProblem problem) {
        suspendedSiteRows.suspendSite(site);
        journalChapterWriter.excludeSite(site);
        decider.suspendSite(site, problem);
    }

    /** Resumes a site: its withheld rows are written first, in their own transactions. */
    void resumeSite(SiteId site) {
        for (List<WireRecord> part : transactionLimits.splitRows(suspendedSiteRows.resumeSite(site))) {
            writer.begin();
            part.forEach(writer::send);
            writer.commit().nextOffsets().forEach(headRowWriter::setStartOffset);
        }
        journalChapterWriter.includeSite(site);
        decider.resumeSite(site);
    }

    /**
     * Decides as much as fits the transaction.
     *
     * @return whether there may be more to decide
     */
    boolean decideNext() {
        clock.readCalendar();
        boolean more = decider.decideNext();
        return (!decider.isCatchingUp() && journalChapterWriter.advanceChapter(transactionBuilder)) || more;
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
        crashPoints.accept(LoopCrashPoint.DECIDED);
        decisionEngine.refreshDerivedState(now());
        long started = clock.elapsedMillis();
        Instant sent = now();
        List<WireRecord> records = transactionBuilder.buildRecords(suspendedSiteRows);
        writer.begin();
        crashPoints.accept(LoopCrashPoint.BEGUN);
        for (int i = 0; i < records.size(); i++) {
            if (i == records.size() / 2) {
                crashPoints.accept(LoopCrashPoint.HALF_SENT);
            }
            writer.send(records.get(i));
        }
        crashPoints.accept(LoopCrashPoint.SENT);
        TransactionalRowWriter.CommitResult commitResult = writer.commit();
        crashPoints.accept(LoopCrashPoint.COMMITTED);
        lastCommitMillis = clock.elapsedMillis();
        commitResult.nextOffsets().forEach(headRowWriter::setStartOffset);
        // Decision times must agree with the broker's clock: an earlier leader may have dated decisions ahead of every
        // clock.
        clock.observeAppendTime(commitResult.newestAppendedAt());
        decider.recordClockComparison(LeaderTermClock.isClockInSync(
                sent, commitResult.newestAppendedAt(), now(), HeartbeatMonitor.MAX_CLOCK_DIFFERENCE));
        TransactionBuilder committedTransaction = transactionBuilder;
        transactionBuilder = newTransaction();
        decider.startTransaction(transactionBuilder);
        journalChapterWriter.onCommit(commitResult);
        listener.onCommit(committedTransaction.decisions(), records, lastCommitMillis - started);
        committedTransaction.endedAttempts().forEach(listener::attemptEnded);
        reportInputDelay();
        crashPoints.accept(LoopCrashPoint.PUBLISHED);
    }

    private void reportInputDelay() {
        Long oldest = decider.removeOldestInputTime();
        if (oldest != null) {
            listener.onInputDelay(Math.max(0, now().toEpochMilli() - oldest));
        }
    }

    private TransactionBuilder newTransaction() {
        return new TransactionBuilder(transactionLimits, headRowWriter, decisionEngine.state(), name, traced);
    }
}
