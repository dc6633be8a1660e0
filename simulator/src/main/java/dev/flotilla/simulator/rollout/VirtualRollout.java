package dev.flotilla.simulator.rollout;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays campaigns on a described fleet, from the first row to the last report. Equal descriptions give equal results.
 */
public final class VirtualRollout {
    /** When every rollout begins. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final long UNTIL_END = ScheduledReportQueue.NEVER - 1;

    private final VirtualFleet fleet;
    private final VirtualInventoryRows rows;
    private final VirtualWorkerModel workerModel;
    private final VirtualTimeRunner time;
    private int inFlight;
    private int peakInFlight;
    private int succeeded;
    private long attempts;
    private long failedAttempts;
    private long decisions;
    private Instant lastEnd = START;

    public VirtualRollout(
            VirtualFleet fleet, VirtualInventoryRows rows, VirtualWorkerModel work, DecisionMeter decisionMeter) {
        if (work.times().machines() != fleet.machines()) {
            throw new IllegalArgumentException(
                    work.times().machines() + " durations for " + fleet.machines() + " machines");
        }
        this.fleet = fleet;
        this.rows = rows;
        this.workerModel = work;
        this.time = new VirtualTimeRunner(new FleetState(), START, decisionMeter, this::perform);
    }

    /** Plays campaigns to their end. */
    public static VirtualRolloutResult play(
            VirtualFleet fleet, VirtualWorkerModel work, UpgradePolicy policy, List<Campaign> campaigns) {
        return play(fleet, VirtualInventoryRows.plain(), work, policy, campaigns);
    }

    /** Plays campaigns to their end, with these rows. */
    public static VirtualRolloutResult play(
            VirtualFleet fleet,
            VirtualInventoryRows rows,
            VirtualWorkerModel work,
            UpgradePolicy policy,
            List<Campaign> campaigns) {
        VirtualRollout rollout = new VirtualRollout(fleet, rows, work, DecisionMeter.NONE);
        rollout.load(policy);
        return rollout.run(campaigns);
    }

    public FleetState state() {
        return time.state();
    }

    /** Machines that have reached their target so far. */
    public int succeeded() {
        return succeeded;
    }

    /** The current virtual time. */
    public Instant now() {
        return time.now();
    }

    /** Adds the policy and the inventory. */
    public void load(UpgradePolicy policy) {
        time.receiveRecord(policy);
        for (SiteId site : fleet.sites()) {
            time.receiveRecord(rows.heartbeat(site, time.now()));
            time.applyInput(new DecisionInput.HeartbeatResumed(site, time.now()));
        }
        for (VirtualCluster cluster : fleet.clusters()) {
            time.receiveRecord(rows.row(cluster));
            for (int place = 0; place < cluster.size(); place++) {
                time.receiveRecord(rows.row(cluster, place));
            }
        }
    }

    /** Adds the campaigns and plays until nothing more happens. */
    public VirtualRolloutResult run(List<Campaign> all) {
        begin(all);
        advance(Long.MAX_VALUE);
        return result();
    }

    /** Adds the campaigns, and starts what may start at once. */
    public void begin(List<Campaign> all) {
        time.begin(all);
    }

    /** Plays until a number of reports have arrived, or nothing more happens. */
    public void advance(long reports) {
        time.advance(reports, UNTIL_END, this::recordReport);
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
        int machine = VirtualInventoryRows.number(command.uid());
        for (AttemptStep step : workerModel.steps()) {
            time.scheduleReport(time.now(), command, new AttemptReport.StepReached(step, null));
        }
        time.scheduleReport(
                time.now().plusMillis(workerModel.times().millis(machine)),
                command,
                workerModel.endReport(machine, command.attemptId()));
        attempts++;
        inFlight++;
        peakInFlight = Math.max(peakInFlight, inFlight);
    }

    private void recordReport(AttemptProgress progress) {
        AttemptReport report = progress.report();
        if (!(report instanceof AttemptReport.StepReached)) {
            inFlight--;
            lastEnd = time.now();
            succeeded += report instanceof AttemptReport.Succeeded ? 1 : 0;
            failedAttempts += report instanceof AttemptReport.Failed ? 1 : 0;
        }
    }

    /** The result so far. */
    public VirtualRolloutResult result() {
        List<VirtualRolloutResult.WaveSpan> waves = new ArrayList<>();
        SortedMap<GateLabel, Integer> waiting = new TreeMap<>();
        for (CampaignRollout campaign : time.state().campaigns().values()) {
            for (WaveProgress wave : campaign.waves()) {
                waves.add(span(campaign, wave));
            }
            if (!campaign.isOver()) {
                waiting = VirtualRolloutResult.sum(
                        waiting, BlockedMachineCounter.countByGate(time.state(), time.gates(), campaign, time.now()));
            }
        }
        return new VirtualRolloutResult(
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

    private static VirtualRolloutResult.WaveSpan span(CampaignRollout campaign, WaveProgress wave) {
        WaveStatus status = wave.status();
        Instant end = status == null ? null : status.closedAt() != null ? status.closedAt() : status.lastSuccessAt();
        return new VirtualRolloutResult.WaveSpan(
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
