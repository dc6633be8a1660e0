package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.DurationPercentiles;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node has proved that it is at its target. */
final class AttemptSuccessDecider {
    private AttemptSuccessDecider() {}

    static Decision decide(
            DecisionBuilder draft,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            AttemptReport.Succeeded succeeded) {
        boolean called = succeeded.proof() != AttemptReport.SuccessProof.UNCHANGED;
        RolloutEntry entry = MachineStatusWriter.entryOf(status, attempt.rolloutRef());
        MachineStatusWriter.closeAttempt(
                draft,
                status,
                entry.succeeded(
                        called ? MachineOutcome.SUCCEEDED : MachineOutcome.UNCHANGED,
                        called ? rest(draft, attempt) : null),
                null);
        if (draft.state().rollout(attempt.rolloutRef()) instanceof CampaignRollout campaign) {
            learn(draft, campaign, machine, succeeded);
            Duration took = called ? Duration.between(attempt.since(), draft.at()) : null;
            noteWave(draft, campaign, entry.wave(), machine, took);
        }
        return draft.build(
                DecisionEvent.ATTEMPT_SUCCEEDED, status.key(), succeeded.proof().label());
    }

    /** Until when the cluster rests after this; null where nobody asks for that. */
    private static @Nullable Instant rest(DecisionBuilder draft, UpgradeAttempt attempt) {
        Duration settle = switch (attempt.rolloutRef()) {
            case RolloutRef.IntentRef asked ->
                draft.state().intentRule(asked.object().site()).clusterSoak();
            case RolloutRef.CampaignRef named ->
                draft.state().rollout(named) instanceof CampaignRollout campaign
                        ? campaign.spec().constraints().clusterSoak()
                        : Duration.ZERO;
        };
        return settle.isZero() ? null : draft.at().plus(settle);
    }

    /** Records what the target has turned out to be. */
    private static void learn(
            DecisionBuilder draft, CampaignRollout campaign, MachineView machine, AttemptReport.Succeeded shown) {
        CampaignStatus before = campaign.status();
        List<ResolvedTarget> learned = ResolvedTargetUpdater.withResolvedTarget(campaign, machine, shown);
        if (!learned.equals(before.resolvedTargets())) {
            draft.write(before.withResolvedTargets(learned));
        }
    }

    /** Records that its wave goes on, and how long it took if a call was made: in the wave's row, which is short. */
    private static void noteWave(
            DecisionBuilder draft,
            CampaignRollout campaign,
            String name,
            MachineView machine,
            @Nullable Duration took) {
        WaveProgress wave = campaign.wave(name);
        WaveStatus status = wave == null ? null : wave.status();
        if (status != null) {
            draft.write(status.withLastSuccessAt(
                    draft.at(), took == null ? status.durations() : with(draft, status, machine, took)));
        }
    }

    private static List<DurationHistogram> with(
            DecisionBuilder draft, WaveStatus status, MachineView machine, Duration took) {
        String machineClass = draft.state().timeoutsOf(machine.site()).machineClass(machine);
        return DurationPercentiles.plus(status.durations(), machine.role(), machineClass, took);
    }
}
