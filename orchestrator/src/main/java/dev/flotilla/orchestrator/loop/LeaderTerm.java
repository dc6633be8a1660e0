package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.orchestrator.chapter.CheckpointChunk;
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
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One term of leadership, between polls: inputs are decided and put, then committed together. It ends with the first
 * thing that is not a clean commit.
 *
 * <p>What waited while nobody led is decided before anything falls due by it: compaction may have taken the older rows
 * of what is only now read, and a start decided in the middle of that would be decided on half a fleet.
 */
final class LeaderTerm {
    /** Offsets alone are worth a commit so often: the next leader reads less, and the clocks are compared. */
    private static final long UNSTAMPED_FOR_LONG = 10_000;

    private static final int OFFSETS_WORTH_A_COMMIT = 2_000;

    private final DecisionEngine decisionEngine;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor ear;
    private final LeaderTermClock clock;
    private final TransactionalRowWriter writer;
    private final TransactionLimits transactionLimits;
    private final String name;
    private final LoopCrashPoint.CrashPointListener crashPointListener;
    private final LeaderTermListener listener;
    private final FailedDecisionTracker failed;
    private final Deque<DecodedRecord> pending = new ArrayDeque<>();
    private final SuspendedSiteRows suspendedSiteRows = new SuspendedSiteRows();
    private final Deque<DecisionInput> edges = new ArrayDeque<>();
    private TransactionBuilder transactionBuilder;
    private final JournalChapterScheduler journalChapterScheduler;
    private final Set<SiteId> readable = new LinkedHashSet<>();
    private boolean cut;
    private boolean endBacklog;
    private boolean catchingUp = true;
    private boolean clockAgrees;
    private @Nullable Boolean clockCompared;
    private long committed;
    private long oldest = Long.MAX_VALUE;
    private final TimeZoneRulesReader zones = new TimeZoneRulesReader();

    LeaderTerm(
            OrchestratorLoopConfig world,
            TableFollower ready,
            TransactionalRowWriter writer,
            JournalChapterScheduler journalChapterScheduler,
            FailedDecisionTracker failed) {
        this.journalChapterScheduler = journalChapterScheduler;
        this.failed = failed;
        this.name = world.name();
        this.decisionEngine = new DecisionEngine(world.decider().get(), ready.state());
        this.headRowWriter = new HeadRowWriter(ready.head(), ready.siteHeads());
        this.clock = new LeaderTermClock(world.clock(), ready.head().decidedAt());
        this.ear = new HeartbeatMonitor(
                List.of(), Map.of(), decisionEngine.state()::heartbeatTimeout, clock.machineTime());
        this.clockAgrees = ready.head().clockInSync();
        this.writer = writer;
        this.transactionLimits = world.limits();
        this.crashPointListener = world.crashPoints();
        this.listener = world.listener();
        this.transactionBuilder = nextOffset();
        pending.addAll(ready.removeWaitingInputs());
    }

    FleetState state() {
        return decisionEngine.state();
    }

    Instant now() {
        return clock.now();
    }

    /** Listens to a site from now on. */
    void monitorHeartbeats(SiteId site, TableFollower rows) {
        readable.add(site);
        ear.monitorSite(site, rows.siteHeads().get(site), clock.machineTime());
        Long heard = rows.lastHeartbeats().get(site);
        if (heard != null) {
            ear.recordHeartbeat(site, heard, clock.machineTime());
        }
    }

    /** An input is read from this offset on. */
    void setNextOffset(TablePartition tablePartition, long next) {
        headRowWriter.setStartOffset(tablePartition, next);
    }

    /** These are the topics of the fleet, or of a site, that are read from now on. */
    void setTopicIds(PolicyScope of, List<TopicId> topics) {
        headRowWriter.setTopicIds(of, topics);
    }

    /** The next offset of an input that is not decided on. */
    long nextOffset(TablePartition tablePartition) {
        return headRowWriter.nextOffset(tablePartition);
    }

    Map<SiteId, SiteHead> siteHeads() {
        return headRowWriter.siteHeads();
    }

    void beginTerm() {
        decide(new DecisionInput.LeaderElected(now()));
        for (EntityKey subject : failed.removeParked()) {
            decide(new DecisionInput.SubjectParked(
                    subject, "what is due about it could not be decided twice, by a bug; the log says which", now()));
        }
        commit();
    }

    /** All that had waited when the term began has been handed in; once it is decided on, things may fall due. */
    void endBacklog() {
        endBacklog = true;
    }

    /** What waits in a site that is only now read is decided before anything falls due by it, as when a term begins. */
    void addBacklog(List<DecodedRecord> waiting) {
        pending.addAll(waiting);
        catchingUp = true;
    }

    /** What waits in a site that is back is yet to be handed in. */
    void expectBacklog() {
        endBacklog = false;
        catchingUp = true;
    }

    void enqueueRecords(List<DecodedRecord> arrivals) {
        pending.addAll(arrivals);
    }

    /** A site's topics cannot be used any more. What was read there and not decided on is read again when they can. */
    void suspendSite(SiteId site, SiteTopicProblem trouble) {
        suspendedSiteRows.suspendSite(site);
        readable.remove(site);
        pending.removeIf(decodedRecord ->
                site.equals(decodedRecord.consumedRecord().partition().site()));
        decide(new DecisionInput.SiteUnreachable(site, trouble.reason(), trouble.lostTables(), now()));
    }

    /** A site's topics can be used again: what was kept back for it goes first, in transactions of its own. */
    void resumeSite(SiteId site) {
        for (List<WireRecord> part : transactionLimits.splitRows(suspendedSiteRows.rowsOf(site))) {
            writer.begin();
            part.forEach(writer::send);
            writer.commit().nextOffsets().forEach(headRowWriter::setStartOffset);
        }
        readable.add(site);
        decide(new DecisionInput.SiteReachable(site, now()));
    }

    /**
     * Decides what there is, as far as it fits.
     *
     * @return whether there may be more to do
     */
    boolean decideNext() {
        clock.readCalendar();
        compareClocks();
        edges.addAll(ear.pollTransitions(clock.machineTime(), now()));
        edges.addAll(zones.readChanges(decisionEngine.state(), clock.elapsedMillis(), now()));
        while (!edges.isEmpty() && transactionBuilder.hasRoom()) {
            decide(edges.removeFirst());
        }
        while (!pending.isEmpty() && transactionBuilder.hasRoom()) {
            processRecord(pending.removeFirst());
            due();
        }
        catchingUp &= !endBacklog || !pending.isEmpty();
        boolean more = due() || !pending.isEmpty() || !edges.isEmpty();
        return chapter() || more;
    }

    /** The journal's own business comes after the decisions, and what begins a chapter is the last in its transaction. */
    private boolean chapter() {
        if (catchingUp) {
            return false;
        }
        if (journalChapterScheduler.isDue(
                decisionEngine.state().head(), now().toEpochMilli(), clock.elapsedMillis(), readable)) {
            decide(new DecisionInput.ChapterDue(
                    JournalChapterScheduler.excludedSites(
                            headRowWriter.siteHeads().keySet(), readable),
                    now()));
            transactionBuilder.seal();
            cut = true;
            return false;
        }
        CheckpointChunk checkpointChunk =
                transactionBuilder.hasRoomForCheckpoint() ? journalChapterScheduler.pollChunk() : null;
        while (checkpointChunk != null) {
            processRecord(checkpointChunk);
            checkpointChunk = transactionBuilder.hasRoomForCheckpoint() ? journalChapterScheduler.pollChunk() : null;
        }
        return journalChapterScheduler.hasChunks();
    }

    private void processRecord(CheckpointChunk checkpointChunk) {
        switch (checkpointChunk) {
            case CheckpointChunk.ChunkRows read ->
                decisionEngine.processInput(
                        new DecisionInput.CheckpointPartRead(now()),
                        0,
                        part -> transactionBuilder.addCheckpoint(part, read.rows()));
            case CheckpointChunk.CheckpointEnd checkpointEnd -> {
                decide(new DecisionInput.CheckpointCompleted(checkpointEnd.rows(), now()));
                journalChapterScheduler.chapterCompleted();
            }
            case CheckpointChunk.CheckpointFailed checkpointFailed ->
                journalChapterScheduler.chapterFailed(checkpointFailed.reason(), clock.elapsedMillis());
        }
    }

    /** What began a chapter is committed, as the last record of the journal that there is. */
    private void cut(TransactionalRowWriter.CommitResult commitResult) {
        cut = false;
        headRowWriter.recordChapterStart(
                headRowWriter.head().seq(),
                commitResult.nextOffsets().getOrDefault(TablePartition.of(Table.JOURNAL), 1L) - 1);
        journalChapterScheduler.startChapter(
                new ConsistentCut(headRowWriter.head(), headRowWriter.siteHeads()),
                commitResult.nextOffsets(),
                readable);
    }

    /** Decides what is due by itself. Returns whether there may be more of it. */
    private boolean due() {
        boolean found = !catchingUp;
        Instant instant = now();
        while (found && transactionBuilder.hasRoom()) {
            found = decisionEngine.decideDueWork(instant, 1, this::wrote) == 1;
        }
        return found;
    }

    /** Whether there is anything that a commit would make durable. */
    boolean hasUncommitted() {
        return !transactionBuilder.isEmpty()
                || headRowWriter.unrecordedInputs() >= OFFSETS_WORTH_A_COMMIT
                || (headRowWriter.unrecordedInputs() > 0 && clock.elapsedMillis() - committed >= UNSTAMPED_FOR_LONG);
    }

    /** Whether the state holds decisions that are not committed yet. */
    boolean hasUncommittedDecisions() {
        return !transactionBuilder.isEmpty();
    }

    /** Whether anybody goes on only when it is committed: a worker that is to begin or to stop, the rest of a chapter. */
    boolean isUrgent() {
        return transactionBuilder.isUrgent();
    }

    boolean isFull() {
        return !transactionBuilder.hasRoom();
    }

    /** Whether decisions are dated ahead of the calendar, and would be to the end of the term. */
    boolean isClockAhead() {
        return clock.isAheadForWholeTerm();
    }

    /** Milliseconds since the last commit. */
    long sinceCommit() {
        return clock.elapsedMillis() - committed;
    }

    /** Milliseconds until something falls due by itself; at most the bound. */
    long idleFor(long most) {
        long timer = decisionEngine.state().nextTimerAt();
        return timer == Long.MAX_VALUE ? most : Math.max(0, Math.min(most, timer - clock.machineTime()));
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
        committed = clock.elapsedMillis();
        commitResult.nextOffsets().forEach(headRowWriter::setStartOffset);
        // What decisions are dated by has to agree: an earlier leader may have put it ahead of any clock.
        clock.observeAppendTime(commitResult.newestAppendedAt());
        clockCompared = LeaderTermClock.isClockInSync(
                sent, commitResult.newestAppendedAt(), now(), HeartbeatMonitor.MAX_CLOCK_DIFFERENCE);
        TransactionBuilder done = transactionBuilder;
        transactionBuilder = nextOffset();
        if (cut) {
            cut(commitResult);
        }
        listener.onCommit(done.decisions(), records, committed - started);
        tellOldest();
        crashPointListener.onCrashPoint(LoopCrashPoint.PUBLISHED);
    }

    private void tellOldest() {
        if (oldest != Long.MAX_VALUE) {
            listener.onInputDelay(Math.max(0, now().toEpochMilli() - oldest));
            oldest = Long.MAX_VALUE;
        }
    }

    private TransactionBuilder nextOffset() {
        return new TransactionBuilder(transactionLimits, headRowWriter, decisionEngine.state(), name);
    }

    private void processRecord(DecodedRecord decodedRecord) {
        ConsumedRecord consumedRecord = decodedRecord.consumedRecord();
        oldest = Math.min(oldest, consumedRecord.appendedAt());
        headRowWriter.recordRead(consumedRecord.partition(), consumedRecord.offset() + 1, 1);
        switch (decodedRecord.decoded()) {
            case DecodeResult.Rejected<RowChange> rejected -> reject(consumedRecord, rejected.firstRejection());
            case DecodeResult.Accepted<RowChange> accepted -> {
                decide(consumedRecord, accepted.value());
                if (accepted.value() instanceof WatcherHeartbeat heartbeat) {
                    heard(heartbeat.site(), consumedRecord.appendedAt());
                }
            }
        }
    }

    /**
     * What leads to a record that Kafka refuses, or fails by a bug, would be decided on again by every leader, and nothing
     * after it: it is not taken.
     */
    private void decide(ConsumedRecord consumedRecord, RowChange rowChange) {
        if (failed.isParked(consumedRecord)) {
            reject(consumedRecord, RejectedRecordFactory.undecidable());
            return;
        }
        try {
            RejectedRecord flaw = RejectedRecordFactory.defectRow(consumedRecord, rowChange, now());
            decide(new DecisionInput.RecordReceived(
                    rowChange, consumedRecord.partition().partition(), consumedRecord.offset(), flaw, now()));
        } catch (DecisionTooLargeException large) {
            reject(consumedRecord, RejectedRecordFactory.tooLarge(large));
        } catch (RuntimeException bug) {
            throw new FailedDecisionTracker.InputDecisionException(consumedRecord, bug);
        }
    }

    private void reject(ConsumedRecord consumedRecord, RejectionDetail why) {
        listener.onRejected(consumedRecord, why);
        decide(new DecisionInput.RecordUnreadable(
                RejectedRecordFactory.rejectedRow(consumedRecord, why, now()), now()));
    }

    private void heard(SiteId site, long appended) {
        ear.recordHeartbeat(site, appended, clock.machineTime());
        if (ear.endsSilence(site, appended, clock.machineTime())) {
            decide(new DecisionInput.HeartbeatResumed(site, now()));
        }
    }

    private void compareClocks() {
        Boolean compared = clockCompared;
        clockCompared = null;
        if (compared != null && compared != clockAgrees) {
            clockAgrees = compared;
            decide(new DecisionInput.ClockCompared(compared, now()));
        }
    }

    private void decide(DecisionInput input) {
        decisionEngine.processInput(input, 0, this::wrote);
    }

    private void wrote(Decision decision) {
        transactionBuilder.add(decision);
    }

    Collection<DecodedRecord> pending() {
        return pending;
    }
}
