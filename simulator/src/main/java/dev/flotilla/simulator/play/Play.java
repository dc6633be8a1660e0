package dev.flotilla.simulator.play;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.simulator.check.Comparisons;
import dev.flotilla.simulator.leader.Batch;
import dev.flotilla.simulator.leader.LeaderPace;
import dev.flotilla.simulator.log.Place;
import dev.flotilla.simulator.log.Producer;
import dev.flotilla.simulator.run.Plan;
import dev.flotilla.simulator.run.Variant;
import dev.flotilla.simulator.run.World;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A fleet, a campaign, and the time in which it is upgraded, moved on by whoever watches. */
public final class Play {
    private static final int ORCHESTRATORS = 2;
    private static final int WORKERS_PER_SITE = 2;
    private static final Comparisons NOW_AND_THEN = new Comparisons(50, 50);

    /** The machines become known before anybody asks for anything. */
    private static final long CAMPAIGN_AFTER = 15_000;

    /** So long nothing must happen by itself before it counts as over: longer than any machine waits to be tried again. */
    private static final long QUIET = 240_000;

    /** Longer than an attempt of which nothing is known holds its slot: whatever is open now stays open. */
    private static final long STALLED = 4L * 3600 * 1000;

    private static final Set<Event> TOLD = EnumSet.of(
            Event.TOOK_OVER,
            Event.POLICY_ACCEPTED,
            Event.CAMPAIGN_ACCEPTED,
            Event.CAMPAIGN_COMPLETED,
            Event.WAVE_OPENED,
            Event.WAVE_CLOSED,
            Event.MACHINE_QUARANTINED,
            Event.ATTEMPT_FAILED,
            Event.ATTEMPT_UNKNOWN,
            Event.SITE_CHANGED,
            Event.REJECTED);

    private static final Set<Event> ENDS = EnumSet.of(
            Event.ATTEMPT_SUCCEEDED,
            Event.ATTEMPT_FAILED,
            Event.MACHINE_QUARANTINED,
            Event.ATTEMPT_CANCELLED,
            Event.ATTEMPT_EXPIRED,
            Event.ATTEMPT_NOT_NOW,
            Event.ATTEMPT_VANISHED);

    private final PlaySpec spec;
    private final World world;
    private final PlayFleet fleet;
    private final Scoreboard board;
    private final Refreshes refreshes;
    private final Kills kills;
    private final Consumer<PlayEvent> events;
    private long accepted = -1;
    private long lastEnd = -1;
    private long lastStir;
    private int ends;
    private int told;

    public Play(PlaySpec spec, List<Victim> victims, Consumer<PlayEvent> events) {
        this.spec = spec;
        this.events = events;
        this.fleet = new PlayFleet(spec);
        Plan plan = new Plan(
                spec.seed(),
                spec.machines(),
                spec.sites(),
                ORCHESTRATORS,
                WORKERS_PER_SITE,
                Scheduler.BEGIN,
                Long.MAX_VALUE,
                Faults.Rates.NONE,
                0,
                0,
                LeaderPace.USUAL,
                NOW_AND_THEN);
        this.world = new World(plan, Variant.REAL, false, fleet::furnish);
        this.board = new Scoreboard(world.fleet(), fleet.campaign());
        this.refreshes = new Refreshes(world.fleet(), world.ledger(), world.scheduler());
        this.kills = new Kills(world, victims);
        this.lastStir = world.scheduler().now();
        world.log().onCommit(this::committed);
    }

    /** Starts every process, and what the operator will write. */
    public void start() {
        world.start();
        world.desk().write(fleet.policy());
        world.scheduler().after(CAMPAIGN_AFTER, () -> world.desk().write(fleet.campaign()));
    }

    /** Milliseconds since the world began. */
    public long now() {
        return world.scheduler().now() - Scheduler.BEGIN;
    }

    /** Lets happen what happens up to an instant. Returns false where nothing will happen by itself any more. */
    public boolean until(long instant) {
        long end = Scheduler.BEGIN + instant;
        while (!over() && world.scheduler().step(end)) {
            killWhenDue();
        }
        return !over();
    }

    private void killWhenDue() {
        if (board.ended() * 3 < board.machines()) {
            return;
        }
        int before = kills.done().size();
        Kills.Kill kill = kills.next();
        if (kill != null) {
            events.accept(new PlayEvent(
                    now(), "killed", kill.process(), "the " + kill.what().label()));
        }
        List<Kills.Kill> done = kills.done();
        if (before > told && kills.recovered()) {
            Kills.Kill last = done.get(before - 1);
            events.accept(new PlayEvent(
                    now(), "recovered", last.process(), "after " + (last.recovered() - last.at()) / 1000 + " s"));
            told = before;
        }
    }

    /** Whether the campaign is over, or whatever is left waits for a person. */
    public boolean over() {
        if (world.verdicts().any()) {
            return true;
        }
        long still = world.scheduler().now() - lastStir;
        return still > STALLED
                || (accepted >= 0 && board.open() == 0 && kills.recovered() && (still > QUIET || completed()));
    }

    /** Whether no machine was left in the middle of something. */
    public boolean settled() {
        return accepted >= 0 && board.open() == 0;
    }

    private boolean completed() {
        CampaignStatus status = world.desk().status(PlayFleet.CAMPAIGN);
        return status != null && status.state().over();
    }

    public List<WaveProgress> progress() {
        return board.progress();
    }

    public int cap() {
        return spec.cap();
    }

    /** Attempts that have ended so far. */
    public int ends() {
        return ends;
    }

    /** Nodes that refresh at this instant, as they say themselves. */
    public int refreshing() {
        return world.ledger().inFlight();
    }

    public PlayResult result() {
        return new Results(spec, world, board, refreshes, kills, fleet.campaign()).of(accepted, lastEnd);
    }

    private void committed(Producer by, Map<Place, List<Fact>> records, @Nullable Object note) {
        records.values().forEach(facts -> facts.forEach(board::committed));
        if (note instanceof Batch batch) {
            batch.decisions().forEach(this::decided);
        }
    }

    private void decided(Decision decision) {
        Event event = decision.event();
        if (event == Event.CAMPAIGN_ACCEPTED && accepted < 0) {
            accepted = world.scheduler().now();
        }
        if (decision.subject() instanceof MachineKey && event != Event.INVENTORY_CHANGED) {
            lastStir = world.scheduler().now();
            if (ENDS.contains(event)) {
                lastEnd = world.scheduler().now();
                ends++;
            }
        }
        if (TOLD.contains(event)) {
            events.accept(new PlayEvent(now(), event.label(), String.valueOf(decision.subject()), decision.reason()));
        }
    }
}
