package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.core.intake.SubjectParkingDecider;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.LogRecord;
import dev.flotilla.simulator.log.Producer;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.SimZones;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One term of leadership: poll, decide and put, commit, again. It ends with the first thing that is not a clean commit.
 *
 * <p>What waited while nobody led is decided before anything falls due by it: compaction may have taken the older rows
 * of what is only now read, and a start decided in the middle of that would be decided on half a fleet.
 */
final class Term {
    private static final long CLOCK_COMPARED_EVERY = 10_000;
    private static final long CLOCKS_APART = 5000;
    private static final int OFFSETS_WORTH_A_COMMIT = 200;

    private final Orchestrator orchestrator;
    private final SimProcess process;
    private final Orchestrator.Surroundings world;
    private final Producer producer;
    private final DecisionEngine decisionEngine;
    private final LogReader reader;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor ear;
    private final TermSites sites;
    private final FailedDecisions failed;
    private boolean over;
    private boolean busy;
    private boolean again;
    private long wakes;
    private boolean clocksAgree;
    private long clocksCompared;
    private boolean catchingUp = true;
    private Instant lastInstant;

    Term(
            Orchestrator orchestrator,
            Orchestrator.Surroundings world,
            Follower ready,
            Producer producer,
            FailedDecisions failed) {
        this.failed = failed;
        this.orchestrator = orchestrator;
        this.process = orchestrator.process();
        this.world = world;
        this.producer = producer;
        this.decisionEngine = new DecisionEngine(world.decider().get(), ready.state());
        this.reader = new LogReader(world.log());
        this.headRowWriter = new HeadRowWriter(ready.head(), ready.siteHeads());
        for (TablePartition tablePartition : OrchestratorPartitions.inputs(ready.sites())) {
            long from = world.habits().goesOnFromOffsets()
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
        this.sites = new TermSites(world, process.name(), decisionEngine, ready, reader, headRowWriter, ear);
        this.clocksAgree = ready.head().clockInSync();
        this.lastInstant = ready.head().decidedAt();
    }

    void end() {
        over = true;
    }

    void begin() {
        world.story()
                .tell(
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
        for (EntityKey subject : world.habits().parksDue() ? failed.toPark() : List.<EntityKey>of()) {
            decisionEngine.processInput(new DecisionInput.SubjectParked(subject, "a bug", now()), 0, decision -> wrote(batch, decision));
            if (SubjectParkingDecider.isParked(decisionEngine.state(), subject)) {
                failed.parked(subject);
            }
        }
    }

    /** There may be inputs. */
    void wake() {
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
                } catch (Tripwires.Tripped bug) {
                    orchestrator.stepDown(String.valueOf(bug.getMessage()));
                } catch (DecisionFailedException bug) {
                    tripped(bug);
                }
            }
        });
    }

    private void tripped(DecisionFailedException bug) {
        if (!(bug.getCause() instanceof Tripwires.Tripped)) {
            throw bug;
        }
        failed.note(bug);
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
        if (!process.survives("before a poll")) {
            return;
        }
        if (!takesSitesBack()) {
            return;
        }
        if (reader.wentBack()) {
            orchestrator.stepDown("records that it has read are not there any more");
            return;
        }
        late();
        DecisionBatch batch = new DecisionBatch(decisionEngine.state(), process.name());
        int most = world.pace().decisions();
        int taken = sites.decide(now(), decision -> wrote(batch, decision));
        taken += clocks(batch);
        taken += edges(batch);
        taken += zones(batch);
        List<LogReader.Fetched> fetched =
                reader.poll(world.scheduler().now(), world.pace().records());
        for (LogReader.Fetched one : fetched) {
            headRowWriter.recordRead(one.place(), one.logged().offset() + 1, 1);
        }
        for (LogReader.Fetched one : fetched) {
            taken += take(one, batch, Math.max(1, most - taken));
            if (world.faults().active() && process.chance().perMille(5)) {
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
        batch.setNothingDue(quiet && fetched.size() < world.pace().records());
        again |= !batch.isNothingDue();
        if (batch.decisions().isEmpty() && headRowWriter.unrecordedInputs() < OFFSETS_WORTH_A_COMMIT) {
            next();
        } else if (process.survives("after it decided")) {
            busy = true;
            commitLater(batch);
        }
    }

    /** Takes sites back whose topics can be used again, each in a transaction of its own. */
    private boolean takesSitesBack() {
        for (SiteId site : world.sites()) {
            if (sites.isBack(site)) {
                if (sites.isReadAnew(site)) {
                    orchestrator.stepDown("the topics of site " + site + " were adopted, and it reads all again");
                    return false;
                }
                Commit.Kept rows = sites.takeBack(site, producer);
                catchingUp = true;
                if (!process.survives("with a site's rows sent and not committed")) {
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
        if (world.faults().active() && process.chance().perMille(10)) {
            TablePartition tablePartition = process.chance().pick(reader.places());
            reader.late(tablePartition, world.scheduler().now() + process.chance().between(500, 20_000));
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
        return decisionEngine.processInput(new DecisionInput.ClockCompared(agree, now()), 0, decision -> wrote(batch, decision));
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
            TimeZoneRules rules = SimZones.rules(zone);
            if (rules != null && !rules.equals(decisionEngine.state().timeZoneRules(zone))) {
                taken += decisionEngine.processInput(new DecisionInput.TimeZoneRead(rules, now()), 0, decision -> wrote(batch, decision));
            }
        }
        return taken;
    }

    private int take(LogReader.Fetched fetched, DecisionBatch batch, int most) {
        LogRecord logged = fetched.logged();
        int bound = catchingUp ? 0 : most;
        int taken = decide(fetched, batch);
        taken += decisionEngine.decideDueWork(now(), bound - taken, decision -> wrote(batch, decision));
        if (logged.fact() instanceof WatcherHeartbeat heartbeat) {
            SiteId site = heartbeat.site();
            ear.recordHeartbeat(site, logged.appended(), world.scheduler().now());
            if (ear.endsSilence(site, logged.appended(), world.scheduler().now())) {
                taken += decisionEngine.processInput(new DecisionInput.HeartbeatResumed(site, now()), bound, decision -> wrote(batch, decision));
            }
        }
        return taken;
    }

    /** What Kafka would refuse the decision on, and what has failed twice, is not taken. */
    private int decide(LogReader.Fetched fetched, DecisionBatch batch) {
        RowChange rowChange = fetched.logged().fact();
        if (rowChange == null) {
            return reject(fetched, batch, RejectionReason.NOT_JSON, "is not JSON");
        }
        if (world.habits().parks() && failed.areDone(fetched)) {
            return reject(fetched, batch, RejectionReason.CANNOT_BE_DECIDED, "could not be decided on twice");
        }
        DecisionInput input = new DecisionInput.RecordReceived(
                rowChange, fetched.place().partition(), fetched.logged().offset(), now());
        try {
            return decisionEngine.processInput(input, 0, decision -> wrote(batch, decision));
        } catch (TooLarge large) {
            return reject(fetched, batch, RejectionReason.TOO_LARGE, String.valueOf(large.getMessage()));
        } catch (Tripwires.Tripped bug) {
            failed.note(fetched);
            throw bug;
        }
    }

    private int reject(LogReader.Fetched fetched, DecisionBatch batch, RejectionReason why, String problem) {
        RejectedRecord rejectedRecord = Rejections.of(fetched.place(), fetched.logged(), why, problem, now());
        return decisionEngine.processInput(new DecisionInput.RecordUnreadable(rejectedRecord, now()), 0, decision -> wrote(batch, decision));
    }

    private void wrote(DecisionBatch batch, Decision decision) {
        JournalRecord said = DecisionBatch.journalRecordOf(decision, headRowWriter.journalHash());
        if (world.habits().weighs()) {
            TooLarge.require(said, world.log().limits());
        }
        headRowWriter.recordDecision(decision);
        batch.add(decision, said);
        headRowWriter.recordJournalHash(Chain.after(headRowWriter.journalHash(), decision));
        world.story().tell(process.name(), () -> Told.decision(decision));
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
            if (!sites.kept().takes(row.getKey(), row.getValue())) {
                TablePartition tablePartition = OrchestratorPartitions.partitionOf(row.getKey());
                SiteId site = tablePartition.site();
                if (site != null && !world.log().sites().usable(site)) {
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
        if (!process.survives("with a transaction sent and not committed")) {
            return;
        }
        boolean unclear = world.faults().unclearNow(process.chance());
        if (unclear && process.chance().percent(50)) {
            unclear("and it was not performed");
            return;
        }
        if (!producer.commit(new Commit(batch, sites.read(), sites.kept().all()))) {
            orchestrator.stepDown("fenced");
            return;
        }
        if (unclear) {
            unclear("though it was performed");
            return;
        }
        if (process.survives("after a commit, before it learns of it")) {
            busy = false;
            next();
        }
    }

    private void unclear(String truth) {
        world.story().tell(process.name(), () -> "does not learn what came of its commit, " + truth);
        if (world.habits().dropsAfterUnclearCommit()) {
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
        schedule(now ? process.chance().between(1, 20) : world.pace().tick());
    }
}
