package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Cores that wait for an attempt too long or too short, or try a machine too often. */
final class BrokenAttemptCores {
    private static final Duration SOON = Duration.ofSeconds(30);

    private BrokenAttemptCores() {}

    static List<BrokenCore> all() {
        return List.of(
                core(
                                "one-attempt-more",
                                "a machine is tried once more often than its campaign allows",
                                (state, decision) -> BrokenAttemptCores.again(state, decision, false))
                        .expectedToBreak(Invariant.FAILURES),
                core(
                                "terminal-failure-tried-again",
                                "a machine is retried after a terminal failure",
                                (state, decision) -> BrokenAttemptCores.again(state, decision, true))
                        .expectedToBreak(Invariant.FAILURES),
                core(
                                "failures-forgotten-at-the-start",
                                "a retry resets the count of failures",
                                (state, decision) -> changed(decision, BrokenAttemptCores::unfailed))
                        .expectedToBreak(Invariant.FAILURES),
                core(
                                "deadline-begins-anew",
                                "each step of an attempt extends its deadline",
                                BrokenAttemptCores::prolonged)
                        .expectedToBreak(Invariant.ATTEMPT_TIME),
                core(
                                "unknown-since-earlier",
                                "an attempt counts as lost earlier than the policy says",
                                (state, decision) -> changed(decision, BrokenAttemptCores::antedated))
                        .expectedToBreak(Invariant.ATTEMPT_TIME));
    }

    /** Changes a decision in the state that it was made in. */
    @FunctionalInterface
    private interface Change {
        Decision of(FleetState state, Decision decision);
    }

    private static BrokenCore core(String name, String what, Change change) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> (state, input) -> {
            Decision decision = FleetDecider.standard().decide(state, input);
            return decision.isNothing() ? decision : change.of(state, decision);
        }));
    }

    private static Decision again(FleetState state, Decision decision, boolean terminal) {
        return decision.event() != DecisionEvent.MACHINE_QUARANTINED
                ? decision
                : changed(
                        decision,
                        status -> triedAgain(state, status, decision.at().plus(SOON), terminal));
    }

    private static MachineStatus triedAgain(FleetState state, MachineStatus status, Instant retryAt, boolean terminal) {
        boolean due = status.lastFailure() != null
                && (status.lastFailure().failureClass() == FailureClass.TERMINAL) == terminal;
        var machine = state.machine(status.key());
        UpgradeAttempt ended = machine == null ? null : machine.attempt();
        return !due || ended == null
                ? status
                : entries(
                        status,
                        entry -> entry.rolloutRef().equals(ended.rolloutRef())
                                        && entry.outcome() == MachineOutcome.QUARANTINED
                                ? new RolloutEntry(
                                        entry.rolloutRef(),
                                        entry.wave(),
                                        entry.failedAttempts(),
                                        retryAt,
                                        MachineOutcome.OPEN)
                                : entry);
    }

    private static MachineStatus unfailed(MachineStatus status) {
        UpgradeAttempt attempt = status.attempt();
        return attempt == null || !(attempt.state() instanceof AttemptState.Admitted)
                ? status
                : entries(
                        status,
                        entry -> entry.rolloutRef().equals(attempt.rolloutRef())
                                ? new RolloutEntry(entry.rolloutRef(), entry.wave(), 0, null, entry.outcome())
                                : entry);
    }

    private static Decision prolonged(FleetState state, Decision decision) {
        return changed(decision, status -> {
            UpgradeAttempt attempt = status.attempt();
            return attempt != null
                            && attempt.state() instanceof AttemptState.Running running
                            && running.step().mayHaveCalled()
                    ? status.with(attempt.withState(new AttemptState.Running(
                            running.step(), running.changeId(), decision.at().plus(Duration.ofHours(1)))))
                    : status;
        });
    }

    private static MachineStatus antedated(MachineStatus status) {
        UpgradeAttempt attempt = status.attempt();
        return attempt != null && attempt.state() instanceof AttemptState.Unknown unknown
                ? status.with(attempt.withState(new AttemptState.Unknown(
                        unknown.since().minus(Duration.ofMinutes(10)), unknown.lastObservation())))
                : status;
    }

    private static MachineStatus entries(MachineStatus status, UnaryOperator<RolloutEntry> change) {
        return new MachineStatus(
                status.key(),
                status.uid(),
                status.attempt(),
                status.lastFailure(),
                status.entries().stream().map(change).toList());
    }

    private static Decision changed(Decision decision, UnaryOperator<MachineStatus> change) {
        return DecisionRewriter.each(
                decision, rowChange -> rowChange instanceof MachineStatus status ? change.apply(status) : rowChange);
    }
}
