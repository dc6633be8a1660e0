package dev.flotilla.simulator.leader;

import dev.flotilla.core.Brain;
import dev.flotilla.core.Decision;
import dev.flotilla.core.Input;
import dev.flotilla.core.Undecidable;
import dev.flotilla.core.intake.Parking;
import dev.flotilla.core.term.Batch;
import dev.flotilla.core.term.Places;
import dev.flotilla.core.term.SiteEar;
import dev.flotilla.core.term.Stamps;
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
    private final Brain brain;
    private final LogReader reader;
    private final Stamps stamps;
    private final SiteEar ear;
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
        this.brain = new Brain(world.decider().get(), ready.state());
        this.reader = new LogReader(world.log());
        this.stamps = new Stamps(ready.head(), ready.siteHeads());
        for (TablePartition tablePartition : Places.inputs(ready.sites())) {
            long from = world.habits().goesOnFromOffsets()
                    ? ready.decidedUpTo(tablePartition)
                    : world.log().end(tablePartition);
            reader.seek(tablePartition, from);
            stamps.begin(tablePartition, from);
        }
        this.ear = new SiteEar(
                ready.sites(),
                ready.siteHeads(),
                brain.state()::silentAfter,
                world.scheduler().now());
        this.sites = new TermSites(world, process.name(), brain, ready, reader, stamps, ear);
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
                        () -> "leads, from seq " + brain.state().head().seq());
        Batch batch = new Batch(brain.state(), process.name());
        brain.take(new Input.TookOver(now()), 0, decision -> wrote(batch, decision));
        park(batch);
        sites.begin(now(), decision -> wrote(batch, decision));
        busy = true;
        commitLater(batch);
    }

    /** Nothing more falls due about what could not be decided twice, as soon as a row says so. */
    private void park(Batch batch) {
        for (EntityKey subject : world.habits().parksDue() ? failed.toPark() : List.<EntityKey>of()) {
            brain.take(new Input.Parked(subject, "a bug", now()), 0, decision -> wrote(batch, decision));
            if (Parking.isParked(brain.state(), subject)) {
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
                } catch (Undecidable bug) {
                    tripped(bug);
                }
            }
        });
    }

    private void tripped(Undecidable bug) {
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
        Batch batch = new Batch(brain.state(), process.name());
        int most = world.pace().decisions();
        int taken = sites.decide(now(), decision -> wrote(batch, decision));
        taken += clocks(batch);
        taken += edges(batch);
        taken += zones(batch);
        List<LogReader.Fetched> fetched =
                reader.poll(world.scheduler().now(), world.pace().records());
        for (LogReader.Fetched one : fetched) {
            stamps.read(one.place(), one.logged().offset() + 1, 1);
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
            quiet = brain.due(now(), Math.max(1, most - taken), decision -> wrote(batch, decision))
                    < Math.max(1, most - taken);
        }
        batch.setQuiet(quiet && fetched.size() < world.pace().records());
        again |= !batch.quiet();
        if (batch.decisions().isEmpty() && stamps.unstamped() < OFFSETS_WORTH_A_COMMIT) {
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
    private int clocks(Batch batch) {
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
        return brain.take(new Input.ClockCompared(agree, now()), 0, decision -> wrote(batch, decision));
    }

    private int edges(Batch batch) {
        int taken = 0;
        for (Input edge : ear.edges(world.scheduler().now(), now())) {
            taken += brain.take(edge, 0, decision -> wrote(batch, decision));
        }
        return taken;
    }

    private int zones(Batch batch) {
        int taken = 0;
        for (TimeZoneName zone : List.copyOf(brain.state().zones())) {
            TimeZoneRules rules = SimZones.rules(zone);
            if (rules != null && !rules.equals(brain.state().zone(zone))) {
                taken += brain.take(new Input.ZoneRead(rules, now()), 0, decision -> wrote(batch, decision));
            }
        }
        return taken;
    }

    private int take(LogReader.Fetched fetched, Batch batch, int most) {
        LogRecord logged = fetched.logged();
        int bound = catchingUp ? 0 : most;
        int taken = decide(fetched, batch);
        taken += brain.due(now(), bound - taken, decision -> wrote(batch, decision));
        if (logged.fact() instanceof WatcherHeartbeat heartbeat) {
            SiteId site = heartbeat.site();
            ear.heard(site, logged.appended(), world.scheduler().now());
            if (ear.endsSilence(site, logged.appended(), world.scheduler().now())) {
                taken += brain.take(new Input.SiteHeard(site, now()), bound, decision -> wrote(batch, decision));
            }
        }
        return taken;
    }

    /** What Kafka would refuse the decision on, and what has failed twice, is not taken. */
    private int decide(LogReader.Fetched fetched, Batch batch) {
        RowChange rowChange = fetched.logged().fact();
        if (rowChange == null) {
            return reject(fetched, batch, RejectionReason.NOT_JSON, "is not JSON");
        }
        if (world.habits().parks() && failed.areDone(fetched)) {
            return reject(fetched, batch, RejectionReason.CANNOT_BE_DECIDED, "could not be decided on twice");
        }
        Input input = new Input.Arrived(
                rowChange, fetched.place().partition(), fetched.logged().offset(), now());
        try {
            return brain.take(input, 0, decision -> wrote(batch, decision));
        } catch (TooLarge large) {
            return reject(fetched, batch, RejectionReason.TOO_LARGE, String.valueOf(large.getMessage()));
        } catch (Tripwires.Tripped bug) {
            failed.note(fetched);
            throw bug;
        }
    }

    private int reject(LogReader.Fetched fetched, Batch batch, RejectionReason why, String problem) {
        RejectedRecord rejectedRecord = Rejections.of(fetched.place(), fetched.logged(), why, problem, now());
        return brain.take(new Input.Unreadable(rejectedRecord, now()), 0, decision -> wrote(batch, decision));
    }

    private void wrote(Batch batch, Decision decision) {
        JournalRecord said = Batch.said(decision, stamps.chain());
        if (world.habits().weighs()) {
            TooLarge.require(said, world.log().limits());
        }
        stamps.wrote(decision);
        batch.add(decision, said);
        stamps.chained(Chain.after(stamps.chain(), decision));
        world.story().tell(process.name(), () -> Told.decision(decision));
    }

    private void commitLater(Batch batch) {
        process.later(process.chance().between(3, 25), () -> {
            if (!over) {
                commit(batch);
            }
        });
    }

    private void commit(Batch batch) {
        brain.settle(now());
        stamps.stamp(batch);
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            if (!sites.kept().takes(row.getKey(), row.getValue())) {
                TablePartition tablePartition = Places.placeOf(row.getKey());
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
