package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.intake.SubjectParkingDecider;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimLogRecord;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.SimTimeZones;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One term of leadership: poll, decide and put, commit, again. It ends with the first thing that is not a clean commit.
 *
 * <p>What waited while nobody led is decided before anything falls due by it: compaction may have taken the older rows
 * of what is only now read, and a start decided in the middle of that would be decided on half a fleet.
 */
final class SimLeaderTerm {
    private static final long CLOCK_COMPARED_EVERY = 10_000;
    private static final long CLOCKS_APART = 5000;
    private static final int OFFSETS_WORTH_A_COMMIT = 200;

    private final SimOrchestrator orchestrator;
    private final SimProcess process;
    private final SimOrchestrator.SimOrchestratorContext world;
    private final SimProducer producer;
    private final DecisionEngine decisionEngine;
    private final SimLogReader reader;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor ear;
    private final SimLeaderTermSites sites;
    private final FailedDecisionCounter failed;
    private boolean over;
    private boolean busy;
    private boolean again;
    private long wakes;
    private boolean clocksAgree;
    private long clocksCompared;
    private boolean catchingUp = true;
    private Instant lastInstant;

    SimLeaderTerm(
            SimOrchestrator orchestrator,
            SimOrchestrator.SimOrchestratorContext world,
            SimTableFollower ready,
            SimProducer producer,
            FailedDecisionCounter failed) {
        this.failed = failed;
        this.orchestrator = orchestrator;
        this.process = orchestrator.process();
        this.world = world;
        this.producer = producer;
        this.decisionEngine = new DecisionEngine(world.decider().get(), ready.state());
        this.reader = new SimLogReader(world.log());
        this.headRowWriter = new HeadRowWriter(ready.head(), ready.siteHeads());
        for (TablePartition tablePartition : OrchestratorPartitions.inputs(ready.sites())) {
            long from = world.habits().resumesFromOffsets()
                    ? ready.decidedUpTo(tablePartition)
                    : world.log().end(tablePartition);
            reader.seek(tablePartition, from);
            headRowWriter.setStartOffset(tablePartition, from);
        }
        this.ear = new HeartbeatMonitor(
                ready.sites(),
                ready.siteHeads(),
                decisionEngine.state()::heartbeatTimeout,
                world.scheduler().now());
        this.sites = new SimLeaderTermSites(world, process.name(), decisionEngine, ready, reader, headRowWriter, ear);
        this.clocksAgree = ready.head().clockInSync();
        this.lastInstant = ready.head().decidedAt();
    }

    void end() {
        over = true;
    }

    void begin() {
        world.story()
                .append(
                        process.name(),
                        () -> "leads, from seq " + decisionEngine.state().head().seq());
        DecisionBatch batch = new DecisionBatch(decisionEngine.state(), process.name());
        decisionEngine.processInput(new DecisionInput.LeaderElected(now()), 0, decision -> wrote(batch, decision));
        park(batch);
        sites.begin(now(), decision -> wrote(batch, decision));
        busy = true;
        commitLater(batch);
    }

    /** Nothing more falls due about what could not be decided twice, as soon as a row says so. */
    private void park(DecisionBatch batch) {
        for (EntityKey subject : world.habits().parksDueWork() ? failed.subjectsToPark() : List.<EntityKey>of()) {
            decisionEngine.processInput(
                    new DecisionInput.SubjectParked(subject, "a bug", now()), 0, decision -> wrote(batch, decision));
            if (SubjectParkingDecider.isParked(decisionEngine.state(), subject)) {
                failed.parked(subject);
            }
        }
    }

    /** There may be inputs. */
    void onInput() {
        if (busy) {
            again = true;
        } else {
            schedule(process.chance().between(2, 60));
        }
    }

    private void schedule(long delay) {
        long wake = ++wakes;
        process.later(delay, () -> {
            if (!over && !busy && wake == wakes) {
                try {
                    loop();
                } catch (CrashingDecider.InjectedBugException bug) {
                    orchestrator.stepDown(String.valueOf(bug.getMessage()));
                } catch (DecisionFailedException bug) {
                    tripped(bug);
                }
            }
        });
    }

    private void tripped(DecisionFailedException bug) {
        if (!(bug.getCause() instanceof CrashingDecider.InjectedBugException)) {
            throw bug;
        }
        failed.addFailure(bug);
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
        if (!takesSitesBack()) {
            return;
        }
        if (reader.hasOffsetMovedBack()) {
            orchestrator.stepDown("records that it has read are not there any more");
            return;
        }
        late();
        DecisionBatch batch = new DecisionBatch(decisionEngine.state(), process.name());
        int most = world.pace().maxDecisions();
        int taken = sites.decide(now(), decision -> wrote(batch, decision));
        taken += clocks(batch);
        taken += edges(batch);
        taken += zones(batch);
        List<SimLogReader.FetchedRecord> fetched =
                reader.poll(world.scheduler().now(), world.pace().maxRecords());
        for (SimLogReader.FetchedRecord one : fetched) {
            headRowWriter.recordRead(one.tablePartition(), one.logged().offset() + 1, 1);
        }
        for (SimLogReader.FetchedRecord one : fetched) {
            taken += take(one, batch, Math.max(1, most - taken));
            if (world.faults().isActive() && process.chance().perMille(5)) {
                taken += take(one, batch, Math.max(1, most - taken));
            }
        }
        if (catchingUp && fetched.isEmpty()) {
            catchingUp = false;
        }
        boolean quiet = !catchingUp;
        if (!catchingUp) {
            quiet = decisionEngine.decideDueWork(now(), Math.max(1, most - taken), decision -> wrote(batch, decision))
                    < Math.max(1, most - taken);
        }
        batch.setNothingDue(quiet && fetched.size() < world.pace().maxRecords());
        again |= !batch.isNothingDue();
        if (batch.decisions().isEmpty() && headRowWriter.unrecordedInputs() < OFFSETS_WORTH_A_COMMIT) {
            next();
        } else if (process.continuesAfter("after it decided")) {
            busy = true;
            commitLater(batch);
        }
    }

    /** Takes sites back whose topics can be used again, each in a transaction of its own. */
    private boolean takesSitesBack() {
        for (SiteId site : world.sites()) {
            if (sites.isUsableAgain(site)) {
                if (sites.mustBeReread(site)) {
                    orchestrator.stepDown("the topics of site " + site + " were adopted, and it reads all again");
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

    /** A partition may be late. */
    private void late() {
        if (world.faults().isActive() && process.chance().perMille(10)) {
            TablePartition tablePartition = process.chance().pick(reader.partitionKeys());
            reader.delayRecords(
                    tablePartition, world.scheduler().now() + process.chance().between(500, 20_000));
        }
    }

    /** What decisions are dated by, which an earlier leader may have put ahead of any clock, against the broker's clock. */
    private int clocks(DecisionBatch batch) {
        long now = world.scheduler().now();
        if (now - clocksCompared < CLOCK_COMPARED_EVERY) {
            return 0;
        }
        clocksCompared = now;
        boolean agree = Math.abs(now().toEpochMilli() - now) <= CLOCKS_APART;
        if (agree == clocksAgree) {
            return 0;
        }
        clocksAgree = agree;
        return decisionEngine.processInput(
                new DecisionInput.ClockCompared(agree, now()), 0, decision -> wrote(batch, decision));
    }

    private int edges(DecisionBatch batch) {
        int taken = 0;
        for (DecisionInput edge : ear.pollTransitions(world.scheduler().now(), now())) {
            taken += decisionEngine.processInput(edge, 0, decision -> wrote(batch, decision));
        }
        return taken;
    }

    private int zones(DecisionBatch batch) {
        int taken = 0;
        for (TimeZoneName zone : List.copyOf(decisionEngine.state().neededTimeZones())) {
            TimeZoneRules rules = SimTimeZones.rules(zone);
            if (rules != null && !rules.equals(decisionEngine.state().timeZoneRules(zone))) {
                taken += decisionEngine.processInput(
                        new DecisionInput.TimeZoneRead(rules, now()), 0, decision -> wrote(batch, decision));
            }
        }
        return taken;
    }

    private int take(SimLogReader.FetchedRecord fetchedRecord, DecisionBatch batch, int most) {
        SimLogRecord logged = fetchedRecord.logged();
        int bound = catchingUp ? 0 : most;
        int taken = decide(fetchedRecord, batch);
        taken += decisionEngine.decideDueWork(now(), bound - taken, decision -> wrote(batch, decision));
        if (logged.rowChange() instanceof WatcherHeartbeat heartbeat) {
            SiteId site = heartbeat.site();
            ear.recordHeartbeat(site, logged.appendedAt(), world.scheduler().now());
            if (ear.endsSilence(site, logged.appendedAt(), world.scheduler().now())) {
                taken += decisionEngine.processInput(
                        new DecisionInput.HeartbeatResumed(site, now()), bound, decision -> wrote(batch, decision));
            }
        }
        return taken;
    }

    /** What Kafka would refuse the decision on, and what has failed twice, is not taken. */
    private int decide(SimLogReader.FetchedRecord fetchedRecord, DecisionBatch batch) {
        RowChange rowChange = fetchedRecord.logged().rowChange();
        if (rowChange == null) {
            return reject(fetchedRecord, batch, RejectionReason.NOT_JSON, "is not JSON");
        }
        if (world.habits().parksInputs() && failed.isToBeParked(fetchedRecord)) {
            return reject(fetchedRecord, batch, RejectionReason.CANNOT_BE_DECIDED, "could not be decided on twice");
        }
        DecisionInput input = new DecisionInput.RecordReceived(
                rowChange,
                fetchedRecord.tablePartition().partition(),
                fetchedRecord.logged().offset(),
                now());
        try {
            return decisionEngine.processInput(input, 0, decision -> wrote(batch, decision));
        } catch (RecordTooLargeException large) {
            return reject(fetchedRecord, batch, RejectionReason.TOO_LARGE, String.valueOf(large.getMessage()));
        } catch (CrashingDecider.InjectedBugException bug) {
            failed.addFailure(fetchedRecord);
            throw bug;
        }
    }

    private int reject(
            SimLogReader.FetchedRecord fetchedRecord, DecisionBatch batch, RejectionReason why, String problem) {
        RejectedRecord rejectedRecord = RejectedRecordFactory.rejectedRecord(
                fetchedRecord.tablePartition(), fetchedRecord.logged(), why, problem, now());
        return decisionEngine.processInput(
                new DecisionInput.RecordUnreadable(rejectedRecord, now()), 0, decision -> wrote(batch, decision));
    }

    private void wrote(DecisionBatch batch, Decision decision) {
        JournalRecord said = DecisionBatch.journalRecordOf(decision, headRowWriter.journalHash());
        if (world.habits().limitsRecordSize()) {
            RecordTooLargeException.requireWithinLimits(said, world.log().limits());
        }
        headRowWriter.recordDecision(decision);
        batch.add(decision, said);
        headRowWriter.recordJournalHash(SimJournalHashChain.nextHash(headRowWriter.journalHash(), decision));
        world.story().append(process.name(), () -> DecisionText.describeDecision(decision));
    }

    private void commitLater(DecisionBatch batch) {
        process.later(process.chance().between(3, 25), () -> {
            if (!over) {
                commit(batch);
            }
        });
    }

    private void commit(DecisionBatch batch) {
        decisionEngine.refreshDerivedState(now());
        headRowWriter.writeHeadRows(batch);
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            if (!sites.kept().holdBack(row.getKey(), row.getValue())) {
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
            unclear("and it was not performed");
            return;
        }
        if (!producer.commit(
                new CommitCheckContext(batch, sites.read(), sites.kept().all()))) {
            orchestrator.stepDown("fenced");
            return;
        }
        if (unclear) {
            unclear("though it was performed");
            return;
        }
        if (process.continuesAfter("after a commit, before it learns of it")) {
            busy = false;
            next();
        }
    }

    private void unclear(String truth) {
        world.story().append(process.name(), () -> "does not learn what came of its commit, " + truth);
        if (world.habits().resetsAfterUnknownCommit()) {
            orchestrator.stepDown("a commit of unknown outcome");
        } else {
            producer.abort();
            busy = false;
            next();
        }
    }

    private void next() {
        boolean now = again || catchingUp;
        again = false;
        schedule(now ? process.chance().between(1, 20) : world.pace().tickMillis());
    }
}
