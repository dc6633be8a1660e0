package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.DurationBuckets;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Times;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.Deferral;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Step;
import java.time.Duration;
import java.time.Instant;

/** What a worker's word leads to. A word about another attempt than the open one is late, or a duplicate: no trace. */
public final class Reports {
    private static final Duration SLACK = Duration.ofMinutes(10);
    private static final int SLOW_PERCENT = 99;

    /** Why a machine whose command ended is not asked for at once. */
    private static final String ENDED = "its command had ended by the worker's clock";

    private Reports() {}

    public static Decision take(Draft draft, Progress progress) {
        Machine machine = draft.state().machine(progress.key());
        MachineStatus status = machine == null ? null : machine.status();
        Attempt attempt = status == null ? null : status.attempt();
        if (machine == null
                || status == null
                || attempt == null
                || attempt.number() != progress.attempt()
                || !status.uid().equals(progress.uid())) {
            return Decision.NOTHING;
        }
        Entry entry = AttemptEnd.entry(status, attempt.driver());
        return switch (progress.report()) {
            case Report.Stepped stepped -> step(draft, machine, status, attempt, stepped);
            case Report.Succeeded succeeded -> Success.take(draft, machine, status, attempt, succeeded);
            case Report.Failed failed ->
                Failing.take(
                        draft,
                        status,
                        attempt,
                        new Failure(
                                attempt.number(), failed.failureClass(), failed.reason(), failed.text(), draft.at()));
            case Report.Cancelled cancelled -> end(draft, status, withdrawn(entry), Event.ATTEMPT_CANCELLED, "");
            case Report.Expired expired -> {
                // Nobody took it back: a worker whose clock is ahead would say so of each command at once.
                Entry next = attempt.cancelled() ? withdrawn(entry) : deferred(draft, status, entry, ENDED);
                yield end(draft, status, next, Event.ATTEMPT_EXPIRED, "");
            }
            case Report.NotNow notNow ->
                end(
                        draft,
                        status,
                        deferred(draft, status, entry, notNow.reason()),
                        Event.ATTEMPT_NOT_NOW,
                        notNow.reason());
            case Report.OutcomeUnknown unknown ->
                attempt.state() instanceof AttemptState.Unknown
                        ? Decision.NOTHING
                        : AttemptTimers.unknown(draft, status, attempt, unknown.text());
        };
    }

    private static Decision end(Draft draft, MachineStatus status, Entry next, Event event, String why) {
        AttemptEnd.close(draft, status, next, status.lastFailure());
        return draft.decide(event, status.key(), why);
    }

    private static Entry withdrawn(Entry entry) {
        return entry.outcome() == Outcome.OPEN ? entry.withdrawn() : entry;
    }

    private static Entry deferred(Draft draft, MachineStatus status, Entry entry, String why) {
        if (entry.outcome() != Outcome.OPEN) {
            return entry;
        }
        int times = entry.deferral() == null ? 1 : entry.deferral().times() + 1;
        return entry.deferred(new Deferral(times, why), draft.at().plus(Backoff.refused(status.key(), times)));
    }

    private static Decision step(
            Draft draft, Machine machine, MachineStatus status, Attempt attempt, Report.Stepped stepped) {
        if (!isNews(attempt.state(), stepped)) {
            return Decision.NOTHING;
        }
        AttemptState next = new AttemptState.Running(
                stepped.step(), stepped.changeId(), deadline(draft, machine, attempt, stepped.step()));
        AttemptEnd.write(draft, status.with(attempt.in(next)));
        return draft.decide(Event.ATTEMPT_STEPPED, status.key(), stepped.step().label());
    }

    private static boolean isNews(AttemptState state, Report.Stepped stepped) {
        return switch (state) {
            case AttemptState.Admitted admitted -> true;
            case AttemptState.Unknown unknown -> stepped.step().mayHaveCalled();
            case AttemptState.Running running -> {
                int order = stepped.step().compareTo(running.step());
                yield order > 0 || (order == 0 && running.changeId() == null && stepped.changeId() != null);
            }
        };
    }

    private static Instant deadline(Draft draft, Machine machine, Attempt attempt, Step step) {
        if (step.mayHaveCalled()) {
            boolean timed = attempt.state() instanceof AttemptState.Running running
                    && running.step().mayHaveCalled();
            return timed && attempt.state() instanceof AttemptState.Running running
                    ? running.deadline()
                    : draft.at().plus(allowed(draft, machine, attempt));
        }
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> admitted.notAfter();
            case AttemptState.Running running -> running.deadline();
            case AttemptState.Unknown unknown -> draft.at();
        };
    }

    private static Duration allowed(Draft draft, Machine machine, Attempt attempt) {
        Times times = draft.state().times(machine.site());
        Duration stated = times.attemptDeadline();
        if (stated != null) {
            return stated;
        }
        Duration slow = draft.state().rollout(attempt.driver()) instanceof CampaignRollout campaign
                ? DurationBuckets.percentile(campaign, machine.role(), times.machineClass(machine), SLOW_PERCENT)
                : null;
        return slow == null ? Licence.ATTEMPT_DEADLINE : slow.plus(slow).plus(SLACK);
    }
}
