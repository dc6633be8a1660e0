package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.DurationBuckets;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.Learned;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Durations;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node has proved that it is at its target. */
final class Success {
    private Success() {}

    static Decision take(
            Draft draft, Machine machine, MachineStatus status, Attempt attempt, Report.Succeeded succeeded) {
        boolean called = succeeded.how() != Report.Proof.UNCHANGED;
        Entry entry = AttemptEnd.entry(status, attempt.driver());
        AttemptEnd.close(
                draft,
                status,
                entry.succeeded(called ? Outcome.SUCCEEDED : Outcome.UNCHANGED, called ? rest(draft, attempt) : null),
                null);
        if (draft.state().rollout(attempt.driver()) instanceof CampaignRollout campaign) {
            learn(draft, campaign, machine, succeeded);
            Duration took = called ? Duration.between(attempt.since(), draft.at()) : null;
            noteWave(draft, campaign, entry.wave(), machine, took);
        }
        return draft.decide(
                Event.ATTEMPT_SUCCEEDED, status.key(), succeeded.how().label());
    }

    /** Until when the cluster rests after this; null where nobody asks for that. */
    private static @Nullable Instant rest(Draft draft, Attempt attempt) {
        Duration settle = switch (attempt.driver()) {
            case Driver.OfIntent asked ->
                draft.state().intentRule(asked.object().site()).settle();
            case Driver.OfCampaign named ->
                draft.state().rollout(named) instanceof CampaignRollout campaign
                        ? campaign.spec().terms().settle()
                        : Duration.ZERO;
        };
        return settle.isZero() ? null : draft.at().plus(settle);
    }

    /** Records what the target has turned out to be. */
    private static void learn(Draft draft, CampaignRollout campaign, Machine machine, Report.Succeeded shown) {
        CampaignStatus before = campaign.status();
        List<Learned> learned = Learning.after(campaign, machine, shown);
        if (!learned.equals(before.learned())) {
            draft.write(before.knowing(learned));
        }
    }

    /** Records that its wave goes on, and how long it took if a call was made: in the wave's row, which is short. */
    private static void noteWave(
            Draft draft, CampaignRollout campaign, String name, Machine machine, @Nullable Duration took) {
        WaveCount wave = campaign.wave(name);
        WaveStatus status = wave == null ? null : wave.status();
        if (status != null) {
            draft.write(status.succeededAt(
                    draft.at(), took == null ? status.durations() : with(draft, status, machine, took)));
        }
    }

    private static List<Durations> with(Draft draft, WaveStatus status, Machine machine, Duration took) {
        String machineClass = draft.state().times(machine.site()).machineClass(machine);
        return DurationBuckets.plus(status.durations(), machine.role(), machineClass, took);
    }
}
