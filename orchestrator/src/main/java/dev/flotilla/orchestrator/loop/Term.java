package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.orchestrator.chapter.Chapters;
import dev.flotilla.orchestrator.chapter.Portion;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
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
final class Term {
    /** Offsets alone are worth a commit so often: the next leader reads less, and the clocks are compared. */
    private static final long UNSTAMPED_FOR_LONG = 10_000;

    private static final int OFFSETS_WORTH_A_COMMIT = 2_000;

    private final DecisionEngine decisionEngine;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor ear;
    private final TermClock clock;
    private final TransactionalRowWriter writer;
    private final Bounds bounds;
    private final String name;
    private final Step.Witness witness;
    private final TermListener listener;
    private final FailedDecisions failed;
    private final Deque<Arrival> pending = new ArrayDeque<>();
    private final Withheld withheld = new Withheld();
    private final Deque<DecisionInput> edges = new ArrayDeque<>();
    private Outgoing outgoing;
    private final Chapters chapters;
    private final Set<SiteId> readable = new LinkedHashSet<>();
    private boolean cut;
    private boolean handedInAll;
    private boolean catchingUp = true;
    private boolean clockAgrees;
    private @Nullable Boolean clockCompared;
    private long committed;
    private long oldest = Long.MAX_VALUE;
    private final ZoneReading zones = new ZoneReading();

    Term(Surroundings world, Follower ready, TransactionalRowWriter writer, Chapters chapters, FailedDecisions failed) {
        this.chapters = chapters;
        this.failed = failed;
        this.name = world.name();
        this.decisionEngine = new DecisionEngine(world.decider().get(), ready.state());
        this.headRowWriter = new HeadRowWriter(ready.head(), ready.siteHeads());
        this.clock = new TermClock(world.time(), ready.head().decidedAt());
        this.ear = new HeartbeatMonitor(List.of(), Map.of(), decisionEngine.state()::heartbeatTimeout, clock.own());
        this.clockAgrees = ready.head().clockInSync();
        this.writer = writer;
        this.bounds = world.bounds();
        this.witness = world.witness();
        this.listener = world.listener();
        this.outgoing = next();
        pending.addAll(ready.takeWaiting());
    }

    FleetState state() {
        return decisionEngine.state();
    }

    Instant now() {
        return clock.now();
    }

    /** Listens to a site from now on. */
    void listenTo(SiteId site, Follower rows) {
        readable.add(site);
        ear.monitorSite(site, rows.siteHeads().get(site), clock.own());
        Long heard = rows.lastHeard().get(site);
        if (heard != null) {
            ear.recordHeartbeat(site, heard, clock.own());
        }
    }

    /** An input is read from this offset on. */
    void readsFrom(TablePartition tablePartition, long next) {
        headRowWriter.setStartOffset(tablePartition, next);
    }

    /** These are the topics of the fleet, or of a site, that are read from now on. */
    void reads(PolicyScope of, List<TopicId> topics) {
        headRowWriter.setTopicIds(of, topics);
    }

    /** The next offset of an input that is not decided on. */
    long next(TablePartition tablePartition) {
        return headRowWriter.nextOffset(tablePartition);
    }

    Map<SiteId, SiteHead> siteHeads() {
        return headRowWriter.siteHeads();
    }

    void begin() {
        decide(new DecisionInput.LeaderElected(now()));
        for (EntityKey subject : failed.takeParked()) {
            decide(new DecisionInput.SubjectParked(
                    subject, "what is due about it could not be decided twice, by a bug; the log says which", now()));
        }
        commit();
    }

    /** All that had waited when the term began has been handed in; once it is decided on, things may fall due. */
    void handedInAll() {
        handedInAll = true;
    }

    /** What waits in a site that is only now read is decided before anything falls due by it, as when a term begins. */
    void joined(List<Arrival> waiting) {
        pending.addAll(waiting);
        catchingUp = true;
    }

    /** What waits in a site that is back is yet to be handed in. */
    void awaits() {
        handedInAll = false;
        catchingUp = true;
    }

    void arrived(List<Arrival> arrivals) {
        pending.addAll(arrivals);
    }

    /** A site's topics cannot be used any more. What was read there and not decided on is read again when they can. */
    void setAside(SiteId site, SiteTrouble trouble) {
        withheld.setAside(site);
        readable.remove(site);
        pending.removeIf(arrival -> site.equals(arrival.read().partition().site()));
        decide(new DecisionInput.SiteUnreachable(site, trouble.reason(), trouble.lost(), now()));
    }

    /** A site's topics can be used again: what was kept back for it goes first, in transactions of its own. */
    void takeBack(SiteId site) {
        for (List<WireRecord> part : bounds.parts(withheld.rowsOf(site))) {
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
    boolean work() {
        clock.follow();
        compareClocks();
        edges.addAll(ear.pollTransitions(clock.own(), now()));
        edges.addAll(zones.changes(decisionEngine.state(), clock.millis(), now()));
        while (!edges.isEmpty() && outgoing.hasRoom()) {
            decide(edges.removeFirst());
        }
        while (!pending.isEmpty() && outgoing.hasRoom()) {
            take(pending.removeFirst());
            due();
        }
        catchingUp &= !handedInAll || !pending.isEmpty();
        boolean more = due() || !pending.isEmpty() || !edges.isEmpty();
        return chapter() || more;
    }

    /** The journal's own business comes after the decisions, and what begins a chapter is the last in its transaction. */
    private boolean chapter() {
        if (catchingUp) {
            return false;
        }
        if (chapters.isDue(decisionEngine.state().head(), now().toEpochMilli(), clock.millis(), readable)) {
            decide(new DecisionInput.ChapterDue(Chapters.without(headRowWriter.siteHeads().keySet(), readable), now()));
            outgoing.seal();
            cut = true;
            return false;
        }
        Portion portion = outgoing.hasRoomForCheckpoint() ? chapters.poll() : null;
        while (portion != null) {
            take(portion);
            portion = outgoing.hasRoomForCheckpoint() ? chapters.poll() : null;
        }
        return chapters.hasPortions();
    }

    private void take(Portion portion) {
        switch (portion) {
            case Portion.Rows read ->
                decisionEngine.processInput(new DecisionInput.CheckpointPartRead(now()), 0, part -> outgoing.addCheckpoint(part, read.rows()));
            case Portion.End end -> {
                decide(new DecisionInput.CheckpointCompleted(end.rows(), now()));
                chapters.completed();
            }
            case Portion.Lost lost -> chapters.lost(lost.why(), clock.millis());
        }
    }

    /** What began a chapter is committed, as the last record of the journal that there is. */
    private void cut(TransactionalRowWriter.CommitResult commitResult) {
        cut = false;
        headRowWriter.recordChapterStart(headRowWriter.head().seq(), commitResult.nextOffsets().getOrDefault(TablePartition.of(Table.JOURNAL), 1L) - 1);
        chapters.begun(new ConsistentCut(headRowWriter.head(), headRowWriter.siteHeads()), commitResult.nextOffsets(), readable);
    }

    /** Decides what is due by itself. Returns whether there may be more of it. */
    private boolean due() {
        boolean found = !catchingUp;
        Instant instant = now();
        while (found && outgoing.hasRoom()) {
            found = decisionEngine.decideDueWork(instant, 1, this::wrote) == 1;
        }
        return found;
    }

    /** Whether there is anything that a commit would make durable. */
    boolean hasSomething() {
        return !outgoing.isEmpty()
                || headRowWriter.unrecordedInputs() >= OFFSETS_WORTH_A_COMMIT
                || (headRowWriter.unrecordedInputs() > 0 && clock.millis() - committed >= UNSTAMPED_FOR_LONG);
    }

    /** Whether the state holds decisions that are not committed yet. */
    boolean hasDecided() {
        return !outgoing.isEmpty();
    }

    /** Whether anybody goes on only when it is committed: a worker that is to begin or to stop, the rest of a chapter. */
    boolean isAwaited() {
        return outgoing.isAwaited();
    }

    boolean isFull() {
        return !outgoing.hasRoom();
    }

    /** Whether decisions are dated ahead of the calendar, and would be to the end of the term. */
    boolean isAheadForGood() {
        return clock.isAheadForGood();
    }

    /** Milliseconds since the last commit. */
    long sinceCommit() {
        return clock.millis() - committed;
    }

    /** Milliseconds until something falls due by itself; at most the bound. */
    long idleFor(long most) {
        long timer = decisionEngine.state().nextTimerAt();
        return timer == Long.MAX_VALUE ? most : Math.max(0, Math.min(most, timer - clock.own()));
    }

    void commit() {
        witness.reached(Step.DECIDED);
        decisionEngine.refreshDerivedState(now());
        long started = clock.millis();
        Instant sent = now();
        List<WireRecord> records = outgoing.close(withheld);
        writer.begin();
        witness.reached(Step.BEGUN);
        for (int i = 0; i < records.size(); i++) {
            if (i == records.size() / 2) {
                witness.reached(Step.HALF_SENT);
            }
            writer.send(records.get(i));
        }
        witness.reached(Step.SENT);
        TransactionalRowWriter.CommitResult commitResult = writer.commit();
        witness.reached(Step.COMMITTED);
        committed = clock.millis();
        commitResult.nextOffsets().forEach(headRowWriter::setStartOffset);
        // What decisions are dated by has to agree: an earlier leader may have put it ahead of any clock.
        clock.appended(commitResult.newestAppendedAt());
        clockCompared = TermClock.agrees(sent, commitResult.newestAppendedAt(), now(), HeartbeatMonitor.CLOCKS_APART);
        Outgoing done = outgoing;
        outgoing = next();
        if (cut) {
            cut(commitResult);
        }
        listener.committed(done.decisions(), records, committed - started);
        tellOldest();
        witness.reached(Step.PUBLISHED);
    }

    private void tellOldest() {
        if (oldest != Long.MAX_VALUE) {
            listener.waited(Math.max(0, now().toEpochMilli() - oldest));
            oldest = Long.MAX_VALUE;
        }
    }

    private Outgoing next() {
        return new Outgoing(bounds, headRowWriter, decisionEngine.state(), name);
    }

    private void take(Arrival arrival) {
        ConsumedRecord consumedRecord = arrival.read();
        oldest = Math.min(oldest, consumedRecord.appendedAt());
        headRowWriter.recordRead(consumedRecord.partition(), consumedRecord.offset() + 1, 1);
        switch (arrival.decoded()) {
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
            reject(consumedRecord, Decode.undecidable());
            return;
        }
        try {
            RejectedRecord flaw = Decode.flaw(consumedRecord, rowChange, now());
            decide(new DecisionInput.RecordReceived(rowChange, consumedRecord.partition().partition(), consumedRecord.offset(), flaw, now()));
        } catch (TooLarge large) {
            reject(consumedRecord, Decode.tooLarge(large));
        } catch (RuntimeException bug) {
            throw new FailedDecisions.Failed(consumedRecord, bug);
        }
    }

    private void reject(ConsumedRecord consumedRecord, RejectionDetail why) {
        listener.rejected(consumedRecord, why);
        decide(new DecisionInput.RecordUnreadable(Decode.rejected(consumedRecord, why, now()), now()));
    }

    private void heard(SiteId site, long appended) {
        ear.recordHeartbeat(site, appended, clock.own());
        if (ear.endsSilence(site, appended, clock.own())) {
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
        outgoing.add(decision);
    }

    Collection<Arrival> pending() {
        return pending;
    }
}
