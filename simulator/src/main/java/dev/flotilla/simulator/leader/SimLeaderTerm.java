package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.intake.SubjectParkingDecider;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimLogRecord;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.SimProcess;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One term of leadership: poll, decide, commit, repeat. It ends with the first commit that fails or whose outcome is
 * unknown.
 *
 * <p>Inputs that arrived while there was no leader are decided before any due work: compaction may have removed older
 * records of inputs that are only now read, and a start decided in the middle of them would be based on half the fleet.
 */
final class SimLeaderTerm {
    private static final int MAX_UNRECORDED_INPUTS = 200;

    private final SimOrchestrator orchestrator;
    private final SimProcess process;
    private final SimOrchestrator.SimOrchestratorContext world;
    private final SimProducer producer;
    private final DecisionEngine decisionEngine;
    private final SimLogReader reader;
    private final HeadRowWriter headRowWriter;
    private final SimLeaderTermSites sites;
    private final SimLeaderTermObservations observations;
    private final FailedDecisionCounter failedDecisions;
    private boolean hasEnded;
    private boolean isCommitting;
    private boolean hasMoreInput;
    private long scheduledLoops;
    private boolean catchingUp = true;
    private Instant lastInstant;

    SimLeaderTerm(
            SimOrchestrator orchestrator,
            SimOrchestrator.SimOrchestratorContext world,
            SimTableFollower ready,
            SimProducer producer,
            FailedDecisionCounter failed) {
        this.failedDecisions = failed;
        this.orchestrator = orchestrator;
        this.process = orchestrator.process();
        this.world = world;
        this.producer = producer;
        this.decisionEngine = new DecisionEngine(world.decider().get(), ready.state());
        this.reader = new SimLogReader(world.log());
        this.headRowWriter = new HeadRowWriter(ready.head(), ready.siteHeads());
        for (TablePartition tablePartition : OrchestratorPartitions.inputs(ready.sites())) {
            long from = world.safeguards().resumesFromOffsets()
                    ? ready.decidedUpTo(tablePartition)
                    : world.log().end(tablePartition);
            reader.seek(tablePartition, from);
            headRowWriter.setStartOffset(tablePartition, from);
        }
        HeartbeatMonitor heartbeatMonitor = new HeartbeatMonitor(
                ready.sites(),
                ready.siteHeads(),
                decisionEngine.state()::heartbeatTimeout,
                world.scheduler().now());
        this.sites = new SimLeaderTermSites(
                world, process.name(), decisionEngine, ready, reader, headRowWriter, heartbeatMonitor);
        this.observations = new SimLeaderTermObservations(
                world.scheduler(),
                decisionEngine,
                heartbeatMonitor,
                ready.head().clockInSync());
        this.lastInstant = ready.head().decidedAt();
    }

    void end() {
        hasEnded = true;
    }

    void begin() {
        world.transcript()
                .append(
                        process.name(),
                        () -> "leads, from seq " + decisionEngine.state().head().seq());
        DecisionBatch batch = new DecisionBatch(decisionEngine.state(), process.name());
        decisionEngine.processInput(
                new DecisionInput.LeaderElected(now()), 0, decision -> recordDecision(batch, decision));
        parkFailedSubjects(batch);
        sites.begin(now(), decision -> recordDecision(batch, decision));
        isCommitting = true;
        commitLater(batch);
    }

    /** Parks subjects whose due work failed twice. Nothing more is due for them once their row says so. */
    private void parkFailedSubjects(DecisionBatch batch) {
        for (EntityKey subject :
                world.safeguards().parksDueWork() ? failedDecisions.subjectsToPark() : List.<EntityKey>of()) {
            decisionEngine.processInput(
                    new DecisionInput.SubjectParked(subject, "a bug", now()),
                    0,
                    decision -> recordDecision(batch, decision));
            if (SubjectParkingDecider.isParked(decisionEngine.state(), subject)) {
                failedDecisions.removeParked(subject);
            }
        }
    }

    /** Called when there may be inputs. */
    void onInput() {
        if (isCommitting) {
            hasMoreInput = true;
        } else {
            schedule(process.chance().between(2, 60));
        }
    }

    private void schedule(long delay) {
        long wake = ++scheduledLoops;
        process.later(delay, () -> {
            if (!hasEnded && !isCommitting && wake == scheduledLoops) {
                try {
                    loop();
                } catch (CrashingDecider.InjectedBugException bug) {
                    orchestrator.stepDown(String.valueOf(bug.getMessage()));
                } catch (DecisionFailedException bug) {
                    handleFailedDecision(bug);
                }
            }
        });
    }

    private void handleFailedDecision(DecisionFailedException bug) {
        if (!(bug.getCause() instanceof CrashingDecider.InjectedBugException)) {
            throw bug;
        }
        failedDecisions.addFailure(bug);
        orchestrator.stepDown(String.valueOf(bug.getMessage()));
    }

    private Instant now() {
        Instant own = Instant.ofEpochMilli(process.clock());
        lastInstant = own.isAfter(lastInstant) ? own : lastInstant;
        return lastInstant;
    }

    private void loop() {
        if (process.cutOff()) {
            orchestrator.stepDown("cannot reach the log");
            return;
        }
        if (!process.continuesAfter("before a poll")) {
            return;
        }
        if (!resumeUsableSites()) {
            return;
        }
        if (reader.hasOffsetMovedBack()) {
            orchestrator.stepDown("records that it has read no longer exist");
            return;
        }
        delayRandomPartition();
        DecisionBatch batch = new DecisionBatch(decisionEngine.state(), process.name());
        int most = world.loopConfig().maxDecisions();
        int decided = sites.decide(now(), decision -> recordDecision(batch, decision));
        decided += observations.decide(this::now, decision -> recordDecision(batch, decision));
        List<SimLogReader.FetchedRecord> fetched =
                reader.poll(world.scheduler().now(), world.loopConfig().maxRecords());
        for (SimLogReader.FetchedRecord fetchedRecord : fetched) {
            headRowWriter.recordRead(
                    fetchedRecord.tablePartition(), fetchedRecord.logged().offset() + 1, 1);
        }
        for (SimLogReader.FetchedRecord fetchedRecord : fetched) {
            decided += processRecord(fetchedRecord, batch, Math.max(1, most - decided));
            if (world.faults().isActive() && process.chance().perMille(5)) {
                decided += processRecord(fetchedRecord, batch, Math.max(1, most - decided));
            }
        }
        if (catchingUp && fetched.isEmpty()) {
            catchingUp = false;
        }
        boolean quiet = !catchingUp;
        if (!catchingUp) {
            quiet = decisionEngine.decideDueWork(
                            now(), Math.max(1, most - decided), decision -> recordDecision(batch, decision))
                    < Math.max(1, most - decided);
        }
        batch.setNothingDue(quiet && fetched.size() < world.loopConfig().maxRecords());
        hasMoreInput |= !batch.isNothingDue();
        if (batch.decisions().isEmpty() && headRowWriter.unrecordedInputs() < MAX_UNRECORDED_INPUTS) {
            scheduleNextLoop();
        } else if (process.continuesAfter("after it decided")) {
            isCommitting = true;
            commitLater(batch);
        }
    }

    /**
     * Resumes sites whose topics are usable again, each in a transaction of its own. Returns false if the term has
     * ended.
     */
    private boolean resumeUsableSites() {
        for (SiteId site : world.sites()) {
            if (sites.isUsableAgain(site)) {
                if (sites.mustBeReread(site)) {
                    orchestrator.stepDown("the topics of site " + site + " were adopted; it reads everything again");
                    return false;
                }
                CommitCheckContext.ReleasedSiteRows rows = sites.resumeSite(site, producer);
                catchingUp = true;
                if (!process.continuesAfter("with a site's rows sent and not committed")) {
                    return false;
                }
                if (!producer.commit(rows)) {
                    orchestrator.stepDown("fenced");
                    return false;
                }
            }
        }
        return true;
    }

    /** Delays the records of a partition, sometimes. */
    private void delayRandomPartition() {
        if (world.faults().isActive() && process.chance().perMille(10)) {
            TablePartition tablePartition = process.chance().pick(reader.partitionKeys());
            reader.delayRecords(
                    tablePartition, world.scheduler().now() + process.chance().between(500, 20_000));
        }
    }

    private int processRecord(SimLogReader.FetchedRecord fetchedRecord, DecisionBatch batch, int most) {
        SimLogRecord logged = fetchedRecord.logged();
        int bound = catchingUp ? 0 : most;
        int decided = decide(fetchedRecord, batch);
        decided += decisionEngine.decideDueWork(now(), bound - decided, decision -> recordDecision(batch, decision));
        if (logged.rowChange() instanceof WatcherHeartbeat heartbeat) {
            decided += observations.decideHeartbeat(
                    heartbeat.site(),
                    logged.appendedAt(),
                    bound,
                    this::now,
                    decision -> recordDecision(batch, decision));
        }
        return decided;
    }

    /** Decides on a record. Rejects it if Kafka would reject the decision's record, or if the decision failed twice. */
    private int decide(SimLogReader.FetchedRecord fetchedRecord, DecisionBatch batch) {
        RowChange rowChange = fetchedRecord.logged().rowChange();
        if (rowChange == null) {
            return reject(fetchedRecord, batch, RejectionReason.NOT_JSON, "is not JSON");
        }
        if (world.safeguards().parksInputs() && failedDecisions.isToBeParked(fetchedRecord)) {
            return reject(fetchedRecord, batch, RejectionReason.CANNOT_BE_DECIDED, "could not be decided on twice");
        }
        DecisionInput input = new DecisionInput.RecordReceived(
                rowChange,
                fetchedRecord.tablePartition().partition(),
                fetchedRecord.logged().offset(),
                now());
        try {
            return decisionEngine.processInput(input, 0, decision -> recordDecision(batch, decision));
        } catch (RecordTooLargeException large) {
            return reject(fetchedRecord, batch, RejectionReason.TOO_LARGE, String.valueOf(large.getMessage()));
        } catch (CrashingDecider.InjectedBugException bug) {
            failedDecisions.addFailure(fetchedRecord);
            throw bug;
        }
    }

    private int reject(
            SimLogReader.FetchedRecord fetchedRecord, DecisionBatch batch, RejectionReason reason, String problem) {
        RejectedRecord rejectedRecord = RejectedRecordFactory.rejectedRecord(
                fetchedRecord.tablePartition(), fetchedRecord.logged(), reason, problem, now());
        return decisionEngine.processInput(
                new DecisionInput.RecordUnreadable(rejectedRecord, now()),
                0,
                decision -> recordDecision(batch, decision));
    }

    private void recordDecision(DecisionBatch batch, Decision decision) {
        JournalRecord journalRecord = DecisionBatch.journalRecordOf(decision, headRowWriter.journalHash());
        if (world.safeguards().limitsRecordSize()) {
            RecordTooLargeException.requireWithinLimits(
                    journalRecord, world.log().limits());
        }
        headRowWriter.recordDecision(decision);
        batch.add(decision, journalRecord);
        headRowWriter.recordJournalHash(SimJournalHashChain.nextHash(headRowWriter.journalHash(), decision));
        world.transcript().append(process.name(), () -> DecisionText.describeDecision(decision));
    }

    private void commitLater(DecisionBatch batch) {
        process.later(process.chance().between(3, 25), () -> {
            if (!hasEnded) {
                commit(batch);
            }
        });
    }

    private void commit(DecisionBatch batch) {
        decisionEngine.refreshDerivedState(now());
        headRowWriter.writeHeadRows(batch);
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            if (!sites.withheldRows().holdBack(row.getKey(), row.getValue())) {
                TablePartition tablePartition = OrchestratorPartitions.partitionOf(row.getKey());
                SiteId site = tablePartition.site();
                if (site != null && !world.log().sites().isUsable(site)) {
                    producer.abort();
                    orchestrator.stepDown("a transaction cannot be written to site " + site);
                    return;
                }
                producer.send(tablePartition, row.getValue());
            }
        }
        for (JournalRecord logged : batch.journal()) {
            producer.send(TablePartition.of(Table.JOURNAL), logged);
        }
        if (!process.continuesAfter("with a transaction sent and not committed")) {
            return;
        }
        boolean unclear = world.faults().unclearNow(process.chance());
        if (unclear && process.chance().percent(50)) {
            handleUnknownOutcome("which was not performed");
            return;
        }
        if (!producer.commit(new CommitCheckContext(
                batch, sites.readSites(), sites.withheldRows().all()))) {
            orchestrator.stepDown("fenced");
            return;
        }
        if (unclear) {
            handleUnknownOutcome("which was performed");
            return;
        }
        if (process.continuesAfter("after a commit, before it learns of it")) {
            isCommitting = false;
            scheduleNextLoop();
        }
    }

    private void handleUnknownOutcome(String actualOutcome) {
        world.transcript().append(process.name(), () -> "does not learn the outcome of its commit, " + actualOutcome);
        if (world.safeguards().resetsAfterUnknownCommit()) {
            orchestrator.stepDown("a commit of unknown outcome");
        } else {
            producer.abort();
            isCommitting = false;
            scheduleNextLoop();
        }
    }

    private void scheduleNextLoop() {
        boolean now = hasMoreInput || catchingUp;
        hasMoreInput = false;
        schedule(now ? process.chance().between(1, 20) : world.loopConfig().tickMillis());
    }
}
