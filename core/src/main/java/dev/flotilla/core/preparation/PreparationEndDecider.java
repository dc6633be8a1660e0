package dev.flotilla.core.preparation;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.time.PreparationLimits;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.MachineStatus;
import java.time.Instant;

/**
 * Decides how a preparation ended. A failed one is tried again some times, counts in no failure budget, and quarantines nothing:
 * the upgrade fetches what it needs itself.
 */
public final class PreparationEndDecider {
    private PreparationEndDecider() {}

    /** Decides on a report; nothing if it is not about a preparation whose command is out. */
    public static Decision decideReport(DecisionBuilder draft, AttemptProgress progress) {
        MachineView machine = draft.state().machine(progress.key());
        MachineStatus status = machine == null ? null : machine.status();
        MachinePreparation preparation = status == null ? null : status.preparation();
        if (status == null
                || preparation == null
                || !preparation.isRunning()
                || preparation.id() != progress.attemptId()
                || !status.uid().equals(progress.uid())
                || !progress.report().isFinal()) {
            return Decision.NOTHING;
        }
        return switch (progress.report()) {
            case AttemptReport.Prepared prepared -> {
                end(draft, status, preparation.with(new PreparationProgress.Prepared(draft.at())));
                yield draft.build(DecisionEvent.PREPARATION_SUCCEEDED, status.key(), "");
            }
            case AttemptReport.Failed failed ->
                fail(
                        draft,
                        status,
                        preparation,
                        failed.reason().label() + ": " + failed.text(),
                        failed.failureClass() == FailureClass.TERMINAL);
            // No command cancels a preparation, and it calls nothing.
            case AttemptReport.Cancelled cancelled -> fail(draft, status, preparation, "cancelled", false);
            case AttemptReport.LeaseExpired expired -> fail(draft, status, preparation, "not begun in time", false);
            case AttemptReport.Deferred deferred -> defer(draft, status, preparation, deferred.reason());
            case AttemptReport.Aborted aborted -> fail(draft, status, preparation, aborted.text(), false);
            case AttemptReport.StepReached step -> Decision.NOTHING;
            case AttemptReport.OutcomeUnknown unknown -> Decision.NOTHING;
            case AttemptReport.Succeeded succeeded -> Decision.NOTHING;
        };
    }

    /** Ends the next preparation whose report is overdue. */
    public static Decision decideNextSilent(DecisionBuilder draft) {
        MachineView machine = draft.state().dueWork().nextSilentPreparation(draft.at());
        MachineStatus status = machine == null ? null : machine.status();
        MachinePreparation preparation = status == null ? null : status.preparation();
        return status == null || preparation == null
                ? Decision.NOTHING
                : DecisionFailedException.runFor(
                        status.key(), () -> fail(draft, status, preparation, "no report of its worker in time", false));
    }

    private static Decision fail(
            DecisionBuilder draft,
            MachineStatus status,
            MachinePreparation preparation,
            String reason,
            boolean isTerminal) {
        boolean isLast = isTerminal || preparation.failures() + 1 >= PreparationLimits.MAX_TRIES;
        Instant retryAt = isLast
                ? null
                : draft.at().plus(PreparationLimits.RETRY_AFTER.multipliedBy(preparation.failures() + 1L));
        end(draft, status, preparation.withFailure(reason, retryAt));
        return draft.build(DecisionEvent.PREPARATION_FAILED, status.key(), reason);
    }

    /** Nothing was tried, for a person must do something first. */
    private static Decision defer(
            DecisionBuilder draft, MachineStatus status, MachinePreparation preparation, String reason) {
        Instant retryAt = draft.at().plus(PreparationLimits.RETRY_AFTER_DEFERRAL);
        end(draft, status, preparation.with(new PreparationProgress.PreparationFailed(reason, retryAt)));
        return draft.build(DecisionEvent.PREPARATION_FAILED, status.key(), reason);
    }

    private static void end(DecisionBuilder draft, MachineStatus status, MachinePreparation ended) {
        draft.write(status.withPreparation(ended)).remove(Table.COMMANDS, status.key());
    }
}
