package dev.flotilla.simulator.rollout;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays campaigns on a described fleet, from the first row to the last word. Equal descriptions give equal results.
 */
public final class VirtualRollout {
    /** When every rollout begins. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final long FOR_EVER = Agenda.NEVER - 1;

    private final VirtualFleet fleet;
    private final FleetRows rows;
    private final VirtualWork work;
    private final VirtualTime time;
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
        this.time = new VirtualTime(new FleetState(), START, meter, this::perform);
    }

    /** Plays it all. */
    public static RolloutResult play(VirtualFleet fleet, VirtualWork work, UpgradePolicy policy, List<Campaign> campaigns) {
        return play(fleet, FleetRows.plain(), work, policy, campaigns);
    }

    /** Plays it all, with these rows. */
    public static RolloutResult play(
            VirtualFleet fleet, FleetRows rows, VirtualWork work, UpgradePolicy policy, List<Campaign> campaigns) {
        VirtualRollout rollout = new VirtualRollout(fleet, rows, work, Meter.NONE);
        rollout.load(policy);
        return rollout.run(campaigns);
    }

    public FleetState state() {
        return time.state();
    }

    /** Machines that have come to their target so far. */
    public int succeeded() {
        return succeeded;
    }

    /** The instant that has been reached. */
    public Instant now() {
        return time.now();
    }

    /** Brings in the policy and the inventory. */
    public void load(UpgradePolicy policy) {
        time.arrive(policy);
        for (SiteId site : fleet.sites()) {
            time.arrive(rows.heartbeat(site, time.now()));
            time.take(new DecisionInput.HeartbeatResumed(site, time.now()));
        }
        for (VirtualCluster cluster : fleet.clusters()) {
            time.arrive(rows.row(cluster));
            for (int place = 0; place < cluster.size(); place++) {
                time.arrive(rows.row(cluster, place));
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
        time.begin(all);
    }

    /** Plays until so many reports have come, or until nothing happens any more. */
    public void advance(long reports) {
        time.advance(reports, FOR_EVER, this::end);
    }

    private void perform(Decision decision) {
        decisions++;
        if (decision.event() == DecisionEvent.ATTEMPT_ADMITTED) {
            for (RowChange rowChange : decision.changes()) {
                if (rowChange instanceof WorkerCommand.UpgradeMachine command) {
                    begin(command);
                }
            }
        }
    }

    private void begin(WorkerCommand.UpgradeMachine command) {
        int machine = FleetRows.number(command.uid());
        for (AttemptStep step : work.steps()) {
            time.say(time.now(), command, new AttemptReport.StepReached(step, null));
        }
        time.say(time.now().plusMillis(work.times().millis(machine)), command, work.end(machine, command.attemptId()));
        attempts++;
        inFlight++;
        peakInFlight = Math.max(peakInFlight, inFlight);
    }

    private void end(AttemptProgress word) {
        AttemptReport report = word.report();
        if (!(report instanceof AttemptReport.StepReached)) {
            inFlight--;
            lastEnd = time.now();
            succeeded += report instanceof AttemptReport.Succeeded ? 1 : 0;
            failedAttempts += report instanceof AttemptReport.Failed ? 1 : 0;
        }
    }

    /** How it has gone so far. */
    public RolloutResult result() {
        List<RolloutResult.WaveSpan> waves = new ArrayList<>();
        SortedMap<GateLabel, Integer> waiting = new TreeMap<>();
        for (CampaignRollout campaign : time.state().campaigns().values()) {
            for (WaveProgress wave : campaign.waves()) {
                waves.add(span(campaign, wave));
            }
            if (!campaign.isOver()) {
                waiting = RolloutResult.sum(waiting, BlockedMachineCounter.countByGate(time.state(), time.gates(), campaign, time.now()));
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

    private static RolloutResult.WaveSpan span(CampaignRollout campaign, WaveProgress wave) {
        WaveStatus status = wave.status();
        Instant end = status == null ? null : status.closedAt() != null ? status.closedAt() : status.lastSuccessAt();
        return new RolloutResult.WaveSpan(
                campaign.name().name(),
                wave.wave().name(),
                wave.total(),
                sinceStart(status == null ? null : status.openedAt()),
                sinceStart(end));
    }

    private static long sinceStart(@Nullable Instant instant) {
        return instant == null ? -1 : instant.toEpochMilli() - START.toEpochMilli();
    }
}
