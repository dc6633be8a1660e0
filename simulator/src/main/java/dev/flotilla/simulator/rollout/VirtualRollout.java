package dev.flotilla.simulator.rollout;

import dev.flotilla.core.Brain;
import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.Input;
import dev.flotilla.core.explain.GateCounts;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.ZoneRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays campaigns on a described fleet, from the first row to the last word, as fast as the core decides. Whatever
 * happens at one instant happens in the order in which it was caused, so equal descriptions give equal results.
 */
public final class VirtualRollout {
    /** When every rollout begins. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final int MOST_DECISIONS = 1024;

    private final VirtualFleet fleet;
    private final FleetRows rows;
    private final VirtualWork work;
    private final Meter meter;
    private final FleetDecider decider = FleetDecider.standard();
    private final Brain brain = new Brain(decider, new FleetState());
    private final List<Decision> decided = new ArrayList<>(MOST_DECISIONS);
    private final Agenda words = new Agenda();
    private List<Campaign> campaigns = List.of();
    private Instant now = START;
    private long offset;
    private int inFlight;
    private int peakInFlight;
    private int succeeded;
    private long attempts;
    private long failedAttempts;
    private long decisions;
    private Instant lastEnd = START;

    public VirtualRollout(VirtualFleet fleet, FleetRows rows, VirtualWork work, Meter meter) {
        if (work.times().machines() != fleet.machines()) {
            throw new IllegalArgumentException(
                    work.times().machines() + " times for " + fleet.machines() + " machines");
        }
        this.fleet = fleet;
        this.rows = rows;
        this.work = work;
        this.meter = meter;
    }

    /** Plays it all. */
    public static RolloutResult play(VirtualFleet fleet, VirtualWork work, Policy policy, List<Campaign> campaigns) {
        VirtualRollout rollout = new VirtualRollout(fleet, FleetRows.plain(), work, Meter.NONE);
        rollout.load(policy);
        return rollout.run(campaigns);
    }

    public FleetState state() {
        return brain.state();
    }

    /** Machines that have come to their target so far. */
    public int succeeded() {
        return succeeded;
    }

    /** The instant that has been reached. */
    public Instant now() {
        return now;
    }

    /** Brings in the policy and the inventory. */
    public void load(Policy policy) {
        arrive(policy);
        for (SiteId site : fleet.sites()) {
            arrive(rows.heartbeat(site, now));
            take(new Input.SiteHeard(site, now));
        }
        for (VirtualCluster cluster : fleet.clusters()) {
            arrive(rows.row(cluster));
            for (int place = 0; place < cluster.size(); place++) {
                arrive(rows.row(cluster, place));
            }
        }
    }

    /** Brings in the campaigns and plays until nothing happens any more. */
    public RolloutResult run(List<Campaign> all) {
        begin(all);
        advance(Long.MAX_VALUE);
        return result();
    }

    /** Brings in the campaigns, and starts what may start at once. */
    public void begin(List<Campaign> all) {
        campaigns = List.copyOf(all);
        campaigns.forEach(this::arrive);
        for (ZoneName zone : List.copyOf(brain.state().zones())) {
            ZoneRules rules = ZoneRules.ofThisJvm(zone, now);
            if (rules != null) {
                take(new Input.ZoneRead(rules, now));
            }
        }
    }

    /** Plays until so many reports have come, or until nothing happens any more. */
    public void advance(long reports) {
        long left = reports;
        for (long next = next(); next < Agenda.NEVER && left > 0; next = next()) {
            now = Instant.ofEpochMilli(Math.max(next, now.toEpochMilli()));
            if (words.next() <= now.toEpochMilli()) {
                Progress word = words.poll();
                end(word.report());
                arrive(word);
                left--;
            } else if (due() == 0 && brain.state().nextTimer() <= now.toEpochMilli()) {
                throw new IllegalStateException("a timer of " + now + " rings for ever");
            }
        }
    }

    private long next() {
        long next = Math.min(words.next(), brain.state().nextTimer());
        for (Campaign campaign : campaigns) {
            Instant start = campaign.spec().startAt();
            if (start != null && start.isAfter(now)) {
                next = Math.min(next, start.toEpochMilli());
            }
        }
        return next;
    }

    private void arrive(Fact fact) {
        take(new Input.Arrived(fact, 0, offset++, now));
    }

    private void take(Input input) {
        meter.asked();
        int taken = brain.take(input, MOST_DECISIONS, decided::add);
        meter.answered(taken);
        perform();
        if (taken == MOST_DECISIONS) {
            due();
        }
    }

    private int due() {
        int all = 0;
        int some = MOST_DECISIONS;
        while (some == MOST_DECISIONS) {
            meter.asked();
            some = brain.due(now, MOST_DECISIONS, decided::add);
            meter.answered(some);
            perform();
            all += some;
        }
        return all;
    }

    private void perform() {
        for (Decision decision : decided) {
            if (decision.event() == Event.ATTEMPT_ADMITTED) {
                for (Fact fact : decision.facts()) {
                    if (fact instanceof Command.UpgradeMachine command) {
                        begin(command);
                    }
                }
            }
        }
        decisions += decided.size();
        decided.clear();
    }

    private void begin(Command.UpgradeMachine command) {
        int machine = FleetRows.number(command.uid());
        for (Step step : work.steps()) {
            say(now, command, new Report.Stepped(step, null));
        }
        say(now.plusMillis(work.times().millis(machine)), command, work.end(machine, command.attempt()));
        attempts++;
        inFlight++;
        peakInFlight = Math.max(peakInFlight, inFlight);
    }

    private void say(Instant at, Command.UpgradeMachine command, Report report) {
        words.add(new Progress(command.key(), command.uid(), command.attempt(), report, at));
    }

    private void end(Report report) {
        if (!(report instanceof Report.Stepped)) {
            inFlight--;
            lastEnd = now;
            succeeded += report instanceof Report.Succeeded ? 1 : 0;
            failedAttempts += report instanceof Report.Failed ? 1 : 0;
        }
    }

    /** How it has gone so far. */
    public RolloutResult result() {
        List<RolloutResult.WaveSpan> waves = new ArrayList<>();
        SortedMap<GateLabel, Integer> waiting = new TreeMap<>();
        for (CampaignRollout campaign : brain.state().campaigns().values()) {
            for (WaveCount wave : campaign.waves()) {
                waves.add(span(campaign, wave));
            }
            if (!campaign.over()) {
                waiting = RolloutResult.sum(waiting, GateCounts.of(brain.state(), decider.gates(), campaign, now));
            }
        }
        return new RolloutResult(
                fleet.machines(),
                succeeded,
                attempts,
                failedAttempts,
                sinceStart(lastEnd),
                peakInFlight,
                decisions,
                waves,
                waiting);
    }

    private static RolloutResult.WaveSpan span(CampaignRollout campaign, WaveCount wave) {
        WaveStatus status = wave.status();
        Instant end = status == null ? null : status.closed() != null ? status.closed() : status.lastSuccess();
        return new RolloutResult.WaveSpan(
                campaign.name().name(),
                wave.wave().name(),
                wave.total(),
                sinceStart(status == null ? null : status.opened()),
                sinceStart(end));
    }

    private static long sinceStart(@Nullable Instant instant) {
        return instant == null ? -1 : instant.toEpochMilli() - START.toEpochMilli();
    }
}
