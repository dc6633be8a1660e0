package dev.flotilla.simulator.rollout;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The preparations of a forecast. Each takes the same time, and fails if its deadline comes first. */
final class ForecastPreparations {
    private final Campaign campaign;
    private int prepared;
    private @Nullable Instant firstStart;
    private @Nullable Instant lastEnd;

    ForecastPreparations(Campaign campaign) {
        this.campaign = campaign;
    }

    /** The report that ends a preparation which begins now. */
    AttemptProgress report(FleetState state, WorkerCommand.PrepareMachine command, Instant now) {
        Instant done = now.plus(CampaignForecast.PREPARATION);
        boolean isInTime = !done.isAfter(command.deadline());
        Instant end = isInTime ? done : command.deadline();
        if (isOfTheCampaign(state, state.machine(command.key()))) {
            prepared += isInTime ? 1 : 0;
            firstStart = firstStart == null ? now : firstStart;
            lastEnd = lastEnd == null || end.isAfter(lastEnd) ? end : lastEnd;
        }
        return new AttemptProgress(
                command.key(),
                command.uid(),
                command.attemptId(),
                isInTime ? new AttemptReport.Prepared() : new AttemptReport.LeaseExpired(),
                end);
    }

    private boolean isOfTheCampaign(FleetState state, @Nullable MachineView machine) {
        MachinePreparation preparation = machine == null ? null : machine.preparation();
        CampaignRollout rollout = state.rollout(campaign.name());
        return preparation != null
                && rollout != null
                && preparation.rolloutRef().equals(rollout.rolloutRef());
    }

    /** What was prepared; null if the campaign has no machine prepared. */
    CampaignForecast.@Nullable PreparationForecast forecast() {
        return campaign.spec().preparation() == null
                ? null
                : new CampaignForecast.PreparationForecast(prepared, firstStart, lastEnd);
    }
}
