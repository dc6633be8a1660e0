package dev.flotilla.simulator.rollout;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The preparations of a forecast. Each takes the same time, and fails if its deadline comes first. Those of other campaigns for
 * the same target count too.
 */
final class ForecastPreparations {
    private final Campaign campaign;
    private int prepared;
    private @Nullable Instant firstStart;
    private @Nullable Instant lastEnd;

    ForecastPreparations(Campaign campaign) {
        this.campaign = campaign;
    }

    /** Counts a machine that is prepared before the forecast. Returns the report that ends its preparation; null if none is open. */
    @Nullable
    AttemptProgress countKnown(FleetState state, MachineView machine, Instant now) {
        MachinePreparation known = machine.preparation();
        if (known == null) {
            return null;
        }
        if (known.progress() instanceof PreparationProgress.Preparing preparing) {
            return endOf(state, machine, known, preparing.deadline(), now);
        }
        if (known.progress() instanceof PreparationProgress.Prepared && isForCampaign(state, machine, known, now)) {
            prepared++;
        }
        return null;
    }

    /** The report that ends a preparation which begins now. */
    AttemptProgress endOf(FleetState state, WorkerCommand.PrepareMachine command, Instant now) {
        MachineView machine = Objects.requireNonNull(state.machine(command.key()));
        return endOf(state, machine, Objects.requireNonNull(machine.preparation()), command.deadline(), now);
    }

    private AttemptProgress endOf(
            FleetState state, MachineView machine, MachinePreparation preparation, Instant deadline, Instant now) {
        Instant done = now.plus(CampaignForecast.PREPARATION);
        boolean isInTime = !done.isAfter(deadline);
        Instant end = isInTime ? done : deadline.isBefore(now) ? now : deadline;
        if (isForCampaign(state, machine, preparation, now)) {
            prepared += isInTime ? 1 : 0;
            firstStart = firstStart == null ? now : firstStart;
            lastEnd = lastEnd == null || end.isAfter(lastEnd) ? end : lastEnd;
        }
        return new AttemptProgress(
                machine.key(),
                Objects.requireNonNull(machine.uid()),
                preparation.id(),
                isInTime ? new AttemptReport.Prepared() : new AttemptReport.LeaseExpired(),
                end);
    }

    private boolean isForCampaign(FleetState state, MachineView machine, MachinePreparation preparation, Instant now) {
        CampaignRollout rollout = state.rollout(campaign.name());
        return rollout != null
                && preparation.isFor(rollout.targetOf(machine), machine.nodeUpgradeTemplate())
                && state.candidateOf(rollout, machine, now) != null;
    }

    /** What is prepared; null if the campaign has no machine prepared. */
    CampaignForecast.@Nullable PreparationForecast forecast() {
        return campaign.spec().preparation() == null
                ? null
                : new CampaignForecast.PreparationForecast(prepared, firstStart, lastEnd);
    }
}
