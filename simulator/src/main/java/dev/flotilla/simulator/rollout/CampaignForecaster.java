package dev.flotilla.simulator.rollout;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays a campaign on the current fleet in virtual time, with the real decision engine and the gates of the policies.
 * Nothing fails, every site sends heartbeats, operators give no orders, and every approval is given immediately: the
 * result shows the effect of the rules alone.
 */
public final class CampaignForecaster {
    /** A machine that waits longer than this waits for a person. */
    private static final Duration HORIZON = Duration.ofDays(120);

    private static final AttemptReport UNCHANGED =
            new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, null, null);

    /** The maximum number of waiting machines that are listed. */
    private static final int MAX_WAITING_MACHINES = 1_000;

    /** How long a machine takes from its admission to its proof, in milliseconds. */
    public interface UpgradeDurationModel {
        long millis(FleetState state, Campaign campaign, MachineView machine);
    }

    private final VirtualTimeRunner time;
    private final Campaign campaign;
    private final UpgradeDurationModel upgradeDurationModel;
    /** The target that each machine has reached or is going to reach; it needs no further call to it. */
    private final Map<MachineKey, UpgradeTarget> reachedTargets = new HashMap<>();

    private final ForecastPreparations preparations;

    private @Nullable Instant lastEnd;
    private @Nullable RejectedRecord rejection;

    private CampaignForecaster(
            FleetState state, Instant now, Campaign campaign, UpgradeDurationModel upgradeDurationModel) {
        this.time = new VirtualTimeRunner(state, now, DecisionMeter.NONE, this::perform);
        this.campaign = campaign;
        this.upgradeDurationModel = upgradeDurationModel;
        this.preparations = new ForecastPreparations(campaign);
    }

    /** Plays a campaign to its end. The state must not be used afterwards. */
    public static CampaignForecast forecast(
            FleetState state, Instant now, Campaign campaign, UpgradeDurationModel upgradeDurationModel) {
        CampaignForecaster campaignForecaster = new CampaignForecaster(state, now, campaign, upgradeDurationModel);
        campaignForecaster.start();
        campaignForecaster.time.advance(
                Long.MAX_VALUE, now.plus(HORIZON).toEpochMilli(), campaignForecaster::recordAttemptEnd);
        return campaignForecaster.buildForecast();
    }

    private void start() {
        time.recount();
        long before = time.state().head().seq();
        for (SiteState site : List.copyOf(time.state().sites())) {
            time.applyInput(new DecisionInput.HeartbeatResumed(site.id(), time.now()));
        }
        time.begin(List.of(campaign));
        approveAllWaves();
        endOpenAttempts(before);
    }

    /** Lets open attempts and preparations end as if they had just begun, because their progress is unknown. */
    private void endOpenAttempts(long before) {
        for (ClusterState cluster : time.state().clusters()) {
            for (MachineView machine : time.state().machines(cluster)) {
                UpgradeAttempt open = machine.attempt();
                if (open != null && open.id() <= before) {
                    scheduleEnd(machine, machine.uid(), open.id());
                }
                MachinePreparation known = machine.preparation();
                AttemptProgress prepared = known == null || known.id() > before
                        ? null
                        : preparations.countKnown(time.state(), machine, time.now());
                if (prepared != null) {
                    time.scheduleReport(prepared);
                }
            }
        }
    }

    private void scheduleEnd(MachineView machine, String uid, long attempt) {
        UpgradeAttempt open = Objects.requireNonNull(machine.attempt());
        boolean isThere = open.target().equals(reachedTargets.get(machine.key()));
        long millis = isThere ? 0 : upgradeDurationModel.millis(time.state(), campaign, machine);
        time.scheduleReport(new AttemptProgress(
                machine.key(),
                uid,
                attempt,
                isThere ? UNCHANGED : proof(machine),
                time.now().plusMillis(millis)));
        reachedTargets.put(machine.key(), open.target());
    }

    /**
     * The proof of a success. A channel is not resolved; a revision resolves to the version that the machine already
     * shows, so that it breaks no version rule.
     */
    private AttemptReport proof(MachineView machine) {
        boolean resolves = campaign.spec().target().option() instanceof UpgradeTarget.Revision
                && machine.version() != KubernetesVersion.UNKNOWN;
        return new AttemptReport.Succeeded(
                AttemptReport.SuccessProof.UPGRADED, null, resolves ? KubernetesVersion.text(machine.version()) : null);
    }

    private void recordAttemptEnd(AttemptProgress progress) {
        MachineView machine = time.state().machine(progress.key());
        UpgradeAttempt open = machine == null ? null : machine.attempt();
        CampaignRollout rollout = rollout();
        if (open != null
                && rollout != null
                && open.rolloutRef().equals(rollout.rolloutRef())
                && !(progress.report() instanceof AttemptReport.StepReached)) {
            lastEnd = time.now();
        }
    }

    /** Gives every approval that the campaign needs. */
    private void approveAllWaves() {
        CampaignRollout rollout = rollout();
        if (rollout == null) {
            return;
        }
        for (Wave wave : campaign.spec().waves()) {
            if (wave.needsApprovalBefore() || wave.needsApprovalAfter()) {
                time.receiveRecord(new OperatorOrder(
                        new OperatorOrderKey.ApproveWave(campaign.name(), wave.name()),
                        "plan",
                        "plan",
                        "a forecast assumes immediate approval",
                        rollout.status().uid(),
                        CampaignContentHash.compute(rollout.status().acceptedCampaign()),
                        null,
                        OperatorOrder.OrderVerb.APPROVE));
            }
        }
    }

    private void perform(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (decision.event() == DecisionEvent.ATTEMPT_ADMITTED
                    && rowChange instanceof WorkerCommand.UpgradeMachine command) {
                start(command);
            } else if (rowChange instanceof WorkerCommand.PrepareMachine command) {
                time.scheduleReport(preparations.endOf(time.state(), command, time.now()));
            } else if (rowChange instanceof RejectedRecord rejectedRecord && isOfTheCampaign(rejectedRecord)) {
                rejection = rejectedRecord;
            }
        }
    }

    private void start(WorkerCommand.UpgradeMachine command) {
        MachineView machine = time.state().machine(command.key());
        if (machine != null) {
            time.scheduleReport(time.now(), command, new AttemptReport.StepReached(AttemptStep.STARTING, null));
            scheduleEnd(machine, command.uid(), command.attemptId());
        }
    }

    private boolean isOfTheCampaign(RejectedRecord rejectedRecord) {
        return rejectedRecord.key().topic().equals(Topic.of(Table.CAMPAIGNS).name())
                && rejectedRecord.key().key().equals(campaign.name().name());
    }

    private @Nullable CampaignRollout rollout() {
        return time.state().rollout(campaign.name());
    }

    private CampaignForecast buildForecast() {
        CampaignRollout rollout = rollout();
        if (rejection != null) {
            return CampaignForecast.rejected(rejection);
        }
        if (rollout == null) {
            throw new IllegalStateException("campaign " + campaign.name() + " is neither accepted nor rejected");
        }
        FleetState state = time.state();
        List<CampaignForecast.WaitingMachine> waits = new ArrayList<>();
        int clusters = 0;
        for (ClusterState cluster : state.clusters()) {
            boolean hasMembers = false;
            for (MachineView machine : state.machines(cluster)) {
                StartCandidate member = state.candidateOf(rollout, machine, time.now());
                hasMembers |= member != null || machine.entry(rollout.rolloutRef()) != null;
                if (member != null
                        && member.progressState().isWaiting()
                        && !rollout.isOver()
                        && waits.size() < MAX_WAITING_MACHINES) {
                    time.gates().closed(member).stream()
                            .findFirst()
                            .ifPresent(closedGate ->
                                    waits.add(new CampaignForecast.WaitingMachine(machine.key(), closedGate)));
                }
            }
            clusters += hasMembers ? 1 : 0;
        }
        return new CampaignForecast(
                null,
                rollout.waves().stream().mapToInt(WaveProgress::total).sum(),
                clusters,
                rollout.waves().stream().map(CampaignForecaster::forecastOf).toList(),
                lastEnd,
                new TreeMap<>(BlockedMachineCounter.countByGate(state, time.gates(), rollout, time.now())),
                waits,
                preparations.forecast());
    }

    private static CampaignForecast.WaveForecast forecastOf(WaveProgress wave) {
        WaveStatus status = wave.status();
        return new CampaignForecast.WaveForecast(
                wave.wave().name(),
                wave.total(),
                wave.wave().needsApprovalBefore() || wave.wave().needsApprovalAfter(),
                status == null ? null : status.openedAt(),
                status == null ? null : status.closedAt() != null ? status.closedAt() : status.lastSuccessAt());
    }
}
