package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.AttemptTimeouts;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.CommandLeaseTimeouts;
import dev.flotilla.core.fleet.DurationPercentiles;
import dev.flotilla.core.fleet.MachineView;
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

/** What a worker's word leads to. A word about another attempt than the open one is late, or a duplicate: no trace. */
public final class AttemptReportDecider {
    private static final Duration SLACK = Duration.ofMinutes(10);
    private static final int SLOW_PERCENT = 99;

    /** Why a machine whose command ended is not asked for at once. */
    private static final String ENDED = "its command had ended by the worker's clock";

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
            case AttemptReport.StepReached stepReached -> step(draft, machine, status, attempt, stepReached);
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
                end(draft, status, withdrawn(entry), DecisionEvent.ATTEMPT_CANCELLED, "");
            case AttemptReport.LeaseExpired leaseExpired -> {
                // Nobody took it back: a worker whose clock is ahead would say so of each command at once.
                RolloutEntry next = attempt.cancelled() ? withdrawn(entry) : deferred(draft, status, entry, ENDED);
                yield end(draft, status, next, DecisionEvent.ATTEMPT_LEASE_EXPIRED, "");
            }
            case AttemptReport.Deferred deferred ->
                end(
                        draft,
                        status,
                        deferred(draft, status, entry, deferred.reason()),
                        DecisionEvent.ATTEMPT_DEFERRED,
                        deferred.reason());
            case AttemptReport.OutcomeUnknown unknown ->
                attempt.state() instanceof AttemptState.Unknown
                        ? Decision.NOTHING
                        : AttemptTimerDecider.unknown(draft, status, attempt, unknown.text());
        };
    }

    private static Decision end(
            DecisionBuilder draft, MachineStatus status, RolloutEntry next, DecisionEvent event, String why) {
        MachineStatusWriter.closeAttempt(draft, status, next, status.lastFailure());
        return draft.build(event, status.key(), why);
    }

    private static RolloutEntry withdrawn(RolloutEntry entry) {
        return entry.outcome() == MachineOutcome.OPEN ? entry.withdrawn() : entry;
    }

    private static RolloutEntry deferred(DecisionBuilder draft, MachineStatus status, RolloutEntry entry, String why) {
        if (entry.outcome() != MachineOutcome.OPEN) {
            return entry;
        }
        int times = entry.deferral() == null ? 1 : entry.deferral().count() + 1;
        return entry.deferred(
                new StartDeferral(times, why), draft.at().plus(RetryBackoff.afterDeferrals(status.key(), times)));
    }

    private static Decision step(
            DecisionBuilder draft,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            AttemptReport.StepReached stepReached) {
        if (!isNews(attempt.state(), stepReached)) {
            return Decision.NOTHING;
        }
        AttemptState next = new AttemptState.Running(
                stepReached.step(), stepReached.changeId(), deadline(draft, machine, attempt, stepReached.step()));
        MachineStatusWriter.writeStatus(draft, status.with(attempt.withState(next)));
        return draft.build(
                DecisionEvent.ATTEMPT_STEP_REACHED,
                status.key(),
                stepReached.step().label());
    }

    private static boolean isNews(AttemptState state, AttemptReport.StepReached stepReached) {
        return switch (state) {
            case AttemptState.Admitted admitted -> true;
            case AttemptState.Unknown unknown -> stepReached.step().mayHaveCalled();
            case AttemptState.Running running -> {
                int order = stepReached.step().compareTo(running.step());
                yield order > 0 || (order == 0 && running.changeId() == null && stepReached.changeId() != null);
            }
        };
    }

    private static Instant deadline(
            DecisionBuilder draft, MachineView machine, UpgradeAttempt attempt, AttemptStep step) {
        if (step.mayHaveCalled()) {
            boolean timed = attempt.state() instanceof AttemptState.Running running
                    && running.step().mayHaveCalled();
            return timed && attempt.state() instanceof AttemptState.Running running
                    ? running.deadline()
                    : draft.at().plus(allowed(draft, machine, attempt));
        }
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> admitted.leaseExpiresAt();
            case AttemptState.Running running -> running.deadline();
            case AttemptState.Unknown unknown -> draft.at();
        };
    }

    private static Duration allowed(DecisionBuilder draft, MachineView machine, UpgradeAttempt attempt) {
        AttemptTimeouts attemptTimeouts = draft.state().timeoutsOf(machine.site());
        Duration stated = attemptTimeouts.attemptDeadline();
        if (stated != null) {
            return stated;
        }
        Duration slow = draft.state().rollout(attempt.rolloutRef()) instanceof CampaignRollout campaign
                ? DurationPercentiles.percentile(
                        campaign, machine.role(), attemptTimeouts.machineClass(machine), SLOW_PERCENT)
                : null;
        return slow == null
                ? CommandLeaseTimeouts.ATTEMPT_DEADLINE
                : slow.plus(slow).plus(SLACK);
    }
}
