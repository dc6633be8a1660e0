package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.time.DurationPercentiles;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides on an attempt whose node proves that it is at its target. */
final class AttemptSuccessDecider {
    private AttemptSuccessDecider() {}

    static Decision decide(
            DecisionBuilder draft,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            AttemptReport.Succeeded succeeded) {
        boolean called = succeeded.proof() != AttemptReport.SuccessProof.UNCHANGED;
        MachineOutcome outcome = called ? MachineOutcome.SUCCEEDED : MachineOutcome.UNCHANGED;
        RolloutEntry entry = MachineStatusWriter.entryOf(status, attempt.rolloutRef());
        UpgradeIntent fulfilled = FulfilledTask.byAttempt(draft.state(), status, attempt);
        MachineStatus withTask = fulfilled == null
                ? null
                : FulfilledTask.fulfil(
                        draft.state(),
                        status,
                        fulfilled,
                        outcome,
                        called ? soakUntil(draft, SiteIntentsRollout.rolloutRefFor(fulfilled)) : null);
        MachineStatusWriter.closeAttempt(
                draft,
                withTask == null ? status : withTask,
                entry.withSuccess(outcome, called ? soakUntil(draft, attempt.rolloutRef()) : null),
                null);
        if (draft.state().rollout(attempt.rolloutRef()) instanceof CampaignRollout campaign) {
            recordResolvedTarget(draft, campaign, machine, succeeded);
            Duration duration = called ? Duration.between(attempt.admittedAt(), draft.at()) : null;
            recordWaveProgress(draft, campaign, entry.wave(), machine, duration);
        }
        return draft.build(
                DecisionEvent.ATTEMPT_SUCCEEDED, status.key(), succeeded.proof().label());
    }

    /** Until when the cluster soaks after a success for a rollout; null if no soak is configured. */
    private static @Nullable Instant soakUntil(DecisionBuilder draft, RolloutRef rolloutRef) {
        Duration clusterSoak = switch (rolloutRef) {
            case RolloutRef.IntentRef intent ->
                draft.state().intentRule(intent.object().site()).clusterSoak();
            case RolloutRef.CampaignRef campaignRef ->
                draft.state().rollout(campaignRef) instanceof CampaignRollout campaign
                        ? campaign.spec().cluster().soak()
                        : Duration.ZERO;
        };
        return clusterSoak.isZero() ? null : draft.at().plus(clusterSoak);
    }

    /** Records the revision and version that the target resolves to. */
    private static void recordResolvedTarget(
            DecisionBuilder draft, CampaignRollout campaign, MachineView machine, AttemptReport.Succeeded shown) {
        CampaignStatus before = campaign.status();
        List<ResolvedTarget> resolvedTargets = ResolvedTargetUpdater.withResolvedTarget(campaign, machine, shown);
        if (!resolvedTargets.equals(before.resolvedTargets())) {
            draft.write(before.withResolvedTargets(resolvedTargets));
        }
    }

    /** Records the success, and its duration if a call was made, in the row of the wave, which is short. */
    private static void recordWaveProgress(
            DecisionBuilder draft,
            CampaignRollout campaign,
            String name,
            MachineView machine,
            @Nullable Duration duration) {
        WaveProgress wave = campaign.wave(name);
        WaveStatus status = wave == null ? null : wave.status();
        if (status != null) {
            draft.write(status.withLastSuccessAt(
                    draft.at(),
                    duration == null ? status.durations() : withDuration(draft, status, machine, duration)));
        }
    }

    private static List<DurationHistogram> withDuration(
            DecisionBuilder draft, WaveStatus status, MachineView machine, Duration duration) {
        String machineClass = draft.state().timeoutsOf(machine.site()).machineClass(machine);
        return DurationPercentiles.plus(status.durations(), machine.role(), machineClass, duration);
    }
}
