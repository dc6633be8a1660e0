package dev.flotilla.cli.demo;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.rollout.MakespanBound;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the result from the tables, the nodes' call ledger and the auditor. */
final class DemoResultCollector {
    private static final double MILLIS = 1000;

    /** Gates that open without an operator. */
    private static final Set<GateLabel> GATES_THAT_OPEN = EnumSet.of(
            GateLabel.CLOCK_SKEW,
            GateLabel.SITE_SILENT,
            GateLabel.SITE_UNREACHABLE,
            GateLabel.CLAIMED_BY_OTHER,
            GateLabel.FLEET_CAP,
            GateLabel.SITE_CAP,
            GateLabel.CAMPAIGN_CAP,
            GateLabel.CLUSTER_CAP,
            GateLabel.CLUSTER_HEALTH,
            GateLabel.MACHINE_NOT_ELIGIBLE,
            GateLabel.BACKOFF);

    private final DemoSpec spec;
    private final DemoTableFollower demoTableFollower;
    private final MachineStatusTracker board;

    DemoResultCollector(DemoSpec spec, DemoTableFollower demoTableFollower, MachineStatusTracker board) {
        this.spec = spec;
        this.demoTableFollower = demoTableFollower;
        this.board = board;
    }

    /** Whether nothing more happens until an operator acts. */
    boolean waitsForOperators() {
        return board.unfinished().stream().allMatch(machine -> {
            ClosedGate first = findFirstClosedGate(machine);
            return first != null && !GATES_THAT_OPEN.contains(first.gate());
        });
    }

    DemoResult collectResult(
            NodeCallStatistics work,
            List<ProcessKill> kills,
            DemoResult.AuditResult auditResult,
            Instant begun,
            @Nullable String gaveUp) {
        Instant accepted = demoTableFollower.accepted();
        Instant lastEnd = demoTableFollower.lastEnd();
        int succeeded = 0;
        int unchanged = 0;
        List<DemoResult.UnfinishedMachine> rest = new ArrayList<>();
        for (MachineKey machine : board.machines()) {
            RolloutEntry entry = MachineStatusTracker.entry(board.status(machine));
            MachineOutcome outcome = entry == null ? MachineOutcome.OPEN : entry.outcome();
            succeeded += outcome.isAtTarget() ? 1 : 0;
            unchanged += outcome == MachineOutcome.UNCHANGED ? 1 : 0;
            if (!outcome.isAtTarget()) {
                rest.add(describeUnfinished(machine, entry, outcome, board.campaignOf(machine), work));
            }
        }
        rest.sort(Comparator.comparing(DemoResult.UnfinishedMachine::machine));
        return new DemoResult(
                spec,
                succeeded,
                unchanged,
                rest,
                campaigns().stream()
                        .map(campaign -> describeCampaign(campaign, accepted))
                        .toList(),
                demoTableFollower.countProviders(),
                accepted != null && board.open() == 0,
                accepted == null || lastEnd == null ? 0 : seconds(accepted, lastEnd),
                MakespanBound.campaignsMillis(
                                campaigns().stream()
                                        .map(campaign ->
                                                new MakespanBound.CampaignUpgradeWork(work(campaign, work), spec.cap()))
                                        .toList(),
                                spec.cap())
                        / MILLIS,
                work,
                kills.stream().map(kill -> kill(kill, begun)).toList(),
                auditResult,
                gaveUp);
    }

    private DemoResult.UnfinishedMachine describeUnfinished(
            MachineKey key,
            @Nullable RolloutEntry entry,
            MachineOutcome outcome,
            @Nullable CampaignStatus status,
            NodeCallStatistics work) {
        MachineStatus row = board.status(key);
        AttemptFailure failure = row == null ? null : row.lastFailure();
        boolean over = status != null && status.state().isOver();
        DemoResult.UnfinishedMachineState unfinishedMachineState = switch (outcome) {
            case QUARANTINED -> DemoResult.UnfinishedMachineState.QUARANTINED;
            case SKIPPED -> DemoResult.UnfinishedMachineState.SKIPPED;
            case OPEN, SUCCEEDED, UNCHANGED ->
                over && entry != null && entry.failedAttempts() > 0
                        ? DemoResult.UnfinishedMachineState.FAILED
                        : DemoResult.UnfinishedMachineState.WAITING;
        };
        boolean inFlight = row != null && row.attempt() != null;
        ClosedGate first = unfinishedMachineState == DemoResult.UnfinishedMachineState.WAITING && !inFlight
                ? findFirstClosedGate(key)
                : null;
        return new DemoResult.UnfinishedMachine(
                key,
                unfinishedMachineState,
                inFlight,
                first == null ? null : first.gate().label(),
                first == null ? null : first.message(),
                failure == null ? null : failure.failureClass().label(),
                failure == null ? null : failure.reason().label(),
                work.calls(key));
    }

    /** Finds the first closed gate of a machine, evaluated by the core; null for none. */
    private @Nullable ClosedGate findFirstClosedGate(MachineKey machine) {
        List<ClosedGate> closed = MachineExplainer.explainMachine(
                        demoTableFollower.state(), GateChain.standard(), machine, Instant.now())
                .closedGates();
        return closed.isEmpty() ? null : closed.get(0);
    }

    private List<Campaign> campaigns() {
        return DemoCampaign.campaigns(spec.sites().providers());
    }

    private DemoResult.CampaignResult describeCampaign(Campaign campaign, @Nullable Instant accepted) {
        CampaignStatus status = board.status(campaign.name());
        return new DemoResult.CampaignResult(
                campaign.name().toString(),
                campaign.spec().target().option().text(),
                status == null ? "not accepted" : status.state().label(),
                waves(campaign.name(), accepted));
    }

    private List<DemoResult.WaveResult> waves(CampaignName campaign, @Nullable Instant accepted) {
        List<DemoResult.WaveResult> waves = new ArrayList<>();
        for (DemoWaveProgress wave : board.progress(campaign)) {
            WaveStatus status = board.status(campaign, wave.name());
            waves.add(new DemoResult.WaveResult(
                    wave.name(),
                    wave.machines(),
                    wave.succeeded(),
                    since(accepted, status == null ? null : status.openedAt()),
                    since(accepted, status == null ? null : status.closedAt())));
        }
        return waves;
    }

    private static @Nullable Double since(@Nullable Instant accepted, @Nullable Instant instant) {
        return accepted == null || instant == null ? null : Double.valueOf(Math.max(0, seconds(accepted, instant)));
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / MILLIS;
    }

    /** The work that was done, as input for the makespan bound. */
    private List<MakespanBound.WaveUpgradeWork> work(Campaign campaign, NodeCallStatistics work) {
        List<MakespanBound.WaveUpgradeWork> waves = new ArrayList<>();
        for (Wave wave : campaign.spec().waves()) {
            List<MakespanBound.ClusterUpgradeWork> clusters = new ArrayList<>();
            for (SitesFleetLayout.PlannedCluster cluster : spec.fleet().clusters()) {
                if (cluster.ring().equals(wave.name())
                        && DemoCampaign.nameOf(cluster.provider()).equals(campaign.name())) {
                    clusters.add(work(cluster, work));
                }
            }
            waves.add(new MakespanBound.WaveUpgradeWork(clusters, wave.successPercent()));
        }
        return waves;
    }

    private MakespanBound.ClusterUpgradeWork work(SitesFleetLayout.PlannedCluster cluster, NodeCallStatistics work) {
        List<Long> controlPlane = new ArrayList<>();
        List<Long> workers = new ArrayList<>();
        List<Long> failing = new ArrayList<>();
        List<MachineKey> machines = cluster.machines();
        for (int place = 0; place < machines.size(); place++) {
            long busy = work.busyMillis(machines.get(place));
            RolloutEntry entry = MachineStatusTracker.entry(board.status(machines.get(place)));
            if (busy > 0) {
                (cluster.role(place) == MachineRole.CONTROL_PLANE ? controlPlane : workers).add(busy);
            }
            if (busy > 0 && (entry == null || !entry.outcome().isAtTarget())) {
                failing.add(busy);
            }
        }
        return new MakespanBound.ClusterUpgradeWork(
                controlPlane, workers, DemoCampaign.MAX_UNAVAILABLE.of(cluster.workers()), failing);
    }

    private static DemoResult.KillResult kill(ProcessKill kill, Instant begun) {
        return new DemoResult.KillResult(
                kill.target(),
                kill.process(),
                (kill.killedAt() - begun.toEpochMilli()) / MILLIS,
                kill.isOver() ? Double.valueOf(kill.seconds()) : null);
    }
}
