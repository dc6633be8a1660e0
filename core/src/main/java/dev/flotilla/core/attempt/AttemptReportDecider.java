package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignDurations;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.time.AttemptTimeouts;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides on a worker's report. A report about an attempt that is not open is late or a duplicate, and changes nothing.
 */
public final class AttemptReportDecider {
    private static final Duration DEADLINE_MARGIN = Duration.ofMinutes(10);
    private static final int SLOW_PERCENTILE = 99;

    /** The reason of the deferral after an expired lease, so that the machine does not start again at once. */
    private static final String LEASE_EXPIRED = "its command lease had expired by the worker's clock";

    private AttemptReportDecider() {}

    public static Decision decide(DecisionBuilder draft, AttemptProgress progress) {
        MachineView machine = draft.state().machine(progress.key());
        MachineStatus status = machine == null ? null : machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (machine == null
                || status == null
                || attempt == null
                || attempt.id() != progress.attemptId()
                || !status.uid().equals(progress.uid())) {
            return Decision.NOTHING;
        }
        RolloutEntry entry = MachineStatusWriter.entryOf(status, attempt.rolloutRef());
        return switch (progress.report()) {
            case AttemptReport.StepReached stepReached -> recordStep(draft, machine, status, attempt, stepReached);
            case AttemptReport.Succeeded succeeded ->
                AttemptSuccessDecider.decide(draft, machine, status, attempt, succeeded);
            case AttemptReport.Failed failed ->
                AttemptFailureDecider.decide(
                        draft,
                        status,
                        attempt,
                        new AttemptFailure(
                                attempt.id(), failed.failureClass(), failed.reason(), failed.text(), draft.at()));
            case AttemptReport.Cancelled cancelled ->
                endAttempt(draft, status, reopenedEntry(entry), DecisionEvent.ATTEMPT_CANCELLED, "");
            case AttemptReport.Aborted aborted ->
                endAttempt(draft, status, reopenedEntry(entry), DecisionEvent.ATTEMPT_ABORTED, aborted.text());
            // Only preparations report it, and their ids are no attempts.
            case AttemptReport.Prepared prepared -> Decision.NOTHING;
            case AttemptReport.LeaseExpired leaseExpired -> {
                // The command was not cancelled: without a wait, a worker whose clock is ahead would let every command
                // expire at once.
                RolloutEntry next =
                        attempt.cancelled() ? reopenedEntry(entry) : withDeferral(draft, status, entry, LEASE_EXPIRED);
                yield endAttempt(draft, status, next, DecisionEvent.ATTEMPT_LEASE_EXPIRED, "");
            }
            case AttemptReport.Deferred deferred ->
                endAttempt(
                        draft,
                        status,
                        withDeferral(draft, status, entry, deferred.reason()),
                        DecisionEvent.ATTEMPT_DEFERRED,
                        deferred.reason());
            case AttemptReport.OutcomeUnknown unknown ->
                attempt.state() instanceof AttemptState.Unknown
                        ? Decision.NOTHING
                        : AttemptTimerDecider.markUnknown(draft, status, attempt, unknown.text());
        };
    }

    private static Decision endAttempt(
            DecisionBuilder draft, MachineStatus status, RolloutEntry next, DecisionEvent event, String reason) {
        MachineStatusWriter.closeAttempt(draft, status, next, status.lastFailure());
        return draft.build(event, status.key(), reason);
    }

    private static RolloutEntry reopenedEntry(RolloutEntry entry) {
        return entry.outcome() == MachineOutcome.OPEN ? entry.withCancelledAttempt() : entry;
    }

    private static RolloutEntry withDeferral(
            DecisionBuilder draft, MachineStatus status, RolloutEntry entry, String reason) {
        if (entry.outcome() != MachineOutcome.OPEN) {
            return entry;
        }
        int times = entry.deferral() == null ? 1 : entry.deferral().count() + 1;
        return entry.withDeferral(
                new StartDeferral(times, reason), draft.at().plus(RetryBackoff.afterDeferrals(status.key(), times)));
    }

    private static Decision recordStep(
            DecisionBuilder draft,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            AttemptReport.StepReached stepReached) {
        if (!isNewer(attempt.state(), stepReached)) {
            return Decision.NOTHING;
        }
        AttemptState next = new AttemptState.Running(
                stepReached.step(), stepReached.changeId(), stepDeadline(draft, machine, attempt, stepReached.step()));
        MachineStatusWriter.writeStatus(draft, status.with(attempt.withState(next)));
        return draft.build(
                DecisionEvent.ATTEMPT_STEP_REACHED,
                status.key(),
                stepReached.step().label());
    }

    private static boolean isNewer(AttemptState state, AttemptReport.StepReached stepReached) {
        return switch (state) {
            case AttemptState.Admitted admitted -> true;
            case AttemptState.Unknown unknown -> stepReached.step().mayHaveCalled();
            case AttemptState.Running running -> {
                int comparison = stepReached.step().compareTo(running.step());
                yield comparison > 0
                        || (comparison == 0 && running.changeId() == null && stepReached.changeId() != null);
            }
        };
    }

    private static Instant stepDeadline(
            DecisionBuilder draft, MachineView machine, UpgradeAttempt attempt, AttemptStep step) {
        if (step.mayHaveCalled()) {
            boolean hasDeadline = attempt.state() instanceof AttemptState.Running running
                    && running.step().mayHaveCalled();
            return hasDeadline && attempt.state() instanceof AttemptState.Running running
                    ? running.deadline()
                    : draft.at().plus(maxCallDuration(draft, machine, attempt));
        }
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> admitted.leaseExpiresAt();
            case AttemptState.Running running -> running.deadline();
            case AttemptState.Unknown unknown -> draft.at();
        };
    }

    private static Duration maxCallDuration(DecisionBuilder draft, MachineView machine, UpgradeAttempt attempt) {
        AttemptTimeouts attemptTimeouts = draft.state().timeoutsOf(machine.site());
        Duration configured = attemptTimeouts.attemptDeadline();
        if (configured != null) {
            return configured;
        }
        Duration slow = draft.state().rollout(attempt.rolloutRef()) instanceof CampaignRollout campaign
                ? CampaignDurations.percentile(
                        campaign.waves(), machine.role(), attemptTimeouts.machineClass(machine), SLOW_PERCENTILE)
                : null;
        return slow == null
                ? CommandLeaseTimeouts.ATTEMPT_DEADLINE
                : slow.plus(slow).plus(DEADLINE_MARGIN);
    }
}
