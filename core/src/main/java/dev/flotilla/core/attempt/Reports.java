package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.DurationBuckets;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Times;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import java.time.Duration;
import java.time.Instant;

/** What a worker's word leads to. A word about another attempt than the open one is late, or a duplicate: no trace. */
public final class Reports {
    private static final Duration SLACK = Duration.ofMinutes(10);
    private static final int SLOW_PERCENT = 99;

    /** Why a machine whose command ended is not asked for at once. */
    private static final String ENDED = "its command had ended by the worker's clock";

    private Reports() {}

    public static Decision take(Draft draft, AttemptProgress progress) {
        Machine machine = draft.state().machine(progress.key());
        MachineStatus status = machine == null ? null : machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (machine == null
                || status == null
                || attempt == null
                || attempt.id() != progress.attemptId()
                || !status.uid().equals(progress.uid())) {
            return Decision.NOTHING;
        }
        RolloutEntry entry = AttemptEnd.entry(status, attempt.rolloutRef());
        return switch (progress.report()) {
            case AttemptReport.StepReached stepReached -> step(draft, machine, status, attempt, stepReached);
            case AttemptReport.Succeeded succeeded -> Success.take(draft, machine, status, attempt, succeeded);
            case AttemptReport.Failed failed ->
                Failing.take(
                        draft,
                        status,
                        attempt,
                        new AttemptFailure(
                                attempt.id(), failed.failureClass(), failed.reason(), failed.text(), draft.at()));
            case AttemptReport.Cancelled cancelled -> end(draft, status, withdrawn(entry), Event.ATTEMPT_CANCELLED, "");
            case AttemptReport.LeaseExpired leaseExpired -> {
                // Nobody took it back: a worker whose clock is ahead would say so of each command at once.
                RolloutEntry next = attempt.cancelled() ? withdrawn(entry) : deferred(draft, status, entry, ENDED);
                yield end(draft, status, next, Event.ATTEMPT_EXPIRED, "");
            }
            case AttemptReport.Deferred deferred ->
                end(
                        draft,
                        status,
                        deferred(draft, status, entry, deferred.reason()),
                        Event.ATTEMPT_NOT_NOW,
                        deferred.reason());
            case AttemptReport.OutcomeUnknown unknown ->
                attempt.state() instanceof AttemptState.Unknown
                        ? Decision.NOTHING
                        : AttemptTimers.unknown(draft, status, attempt, unknown.text());
        };
    }

    private static Decision end(Draft draft, MachineStatus status, RolloutEntry next, Event event, String why) {
        AttemptEnd.close(draft, status, next, status.lastFailure());
        return draft.decide(event, status.key(), why);
    }

    private static RolloutEntry withdrawn(RolloutEntry entry) {
        return entry.outcome() == MachineOutcome.OPEN ? entry.withdrawn() : entry;
    }

    private static RolloutEntry deferred(Draft draft, MachineStatus status, RolloutEntry entry, String why) {
        if (entry.outcome() != MachineOutcome.OPEN) {
            return entry;
        }
        int times = entry.deferral() == null ? 1 : entry.deferral().count() + 1;
        return entry.deferred(new StartDeferral(times, why), draft.at().plus(Backoff.refused(status.key(), times)));
    }

    private static Decision step(
            Draft draft, Machine machine, MachineStatus status, UpgradeAttempt attempt, AttemptReport.StepReached stepReached) {
        if (!isNews(attempt.state(), stepReached)) {
            return Decision.NOTHING;
        }
        AttemptState next = new AttemptState.Running(
                stepReached.step(), stepReached.changeId(), deadline(draft, machine, attempt, stepReached.step()));
        AttemptEnd.write(draft, status.with(attempt.withState(next)));
        return draft.decide(Event.ATTEMPT_STEPPED, status.key(), stepReached.step().label());
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

    private static Instant deadline(Draft draft, Machine machine, UpgradeAttempt attempt, AttemptStep step) {
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

    private static Duration allowed(Draft draft, Machine machine, UpgradeAttempt attempt) {
        Times times = draft.state().times(machine.site());
        Duration stated = times.attemptDeadline();
        if (stated != null) {
            return stated;
        }
        Duration slow = draft.state().rollout(attempt.rolloutRef()) instanceof CampaignRollout campaign
                ? DurationBuckets.percentile(campaign, machine.role(), times.machineClass(machine), SLOW_PERCENT)
                : null;
        return slow == null ? Licence.ATTEMPT_DEADLINE : slow.plus(slow).plus(SLACK);
    }
}
