package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.DurationBuckets;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node has proved that it is at its target. */
final class Success {
    private Success() {}

    static Decision take(
            Draft draft, Machine machine, MachineStatus status, UpgradeAttempt attempt, AttemptReport.Succeeded succeeded) {
        boolean called = succeeded.proof() != AttemptReport.SuccessProof.UNCHANGED;
        RolloutEntry entry = AttemptEnd.entry(status, attempt.rolloutRef());
        AttemptEnd.close(
                draft,
                status,
                entry.succeeded(called ? MachineOutcome.SUCCEEDED : MachineOutcome.UNCHANGED, called ? rest(draft, attempt) : null),
                null);
        if (draft.state().rollout(attempt.rolloutRef()) instanceof CampaignRollout campaign) {
            learn(draft, campaign, machine, succeeded);
            Duration took = called ? Duration.between(attempt.since(), draft.at()) : null;
            noteWave(draft, campaign, entry.wave(), machine, took);
        }
        return draft.decide(
                Event.ATTEMPT_SUCCEEDED, status.key(), succeeded.proof().label());
    }

    /** Until when the cluster rests after this; null where nobody asks for that. */
    private static @Nullable Instant rest(Draft draft, UpgradeAttempt attempt) {
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
    private static void learn(Draft draft, CampaignRollout campaign, Machine machine, AttemptReport.Succeeded shown) {
        CampaignStatus before = campaign.status();
        List<ResolvedTarget> learned = Learning.after(campaign, machine, shown);
        if (!learned.equals(before.resolvedTargets())) {
            draft.write(before.withResolvedTargets(learned));
        }
    }

    /** Records that its wave goes on, and how long it took if a call was made: in the wave's row, which is short. */
    private static void noteWave(
            Draft draft, CampaignRollout campaign, String name, Machine machine, @Nullable Duration took) {
        WaveCount wave = campaign.wave(name);
        WaveStatus status = wave == null ? null : wave.status();
        if (status != null) {
            draft.write(status.withLastSuccessAt(
                    draft.at(), took == null ? status.durations() : with(draft, status, machine, took)));
        }
    }

    private static List<DurationHistogram> with(Draft draft, WaveStatus status, Machine machine, Duration took) {
        String machineClass = draft.state().times(machine.site()).machineClass(machine);
        return DurationBuckets.plus(status.durations(), machine.role(), machineClass, took);
    }
}
