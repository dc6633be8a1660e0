package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says why a machine waits. It asks the gates that the decision asks, so it cannot say anything else. */
public final class MachineExplainer {
    private MachineExplainer() {}

    public static MachineExplanation explainMachine(FleetState state, GateChain gates, MachineKey key, Instant now) {
        state.refreshDerivedState(gates, now);
        MachineView machine = state.machine(key);
        if (machine == null) {
            return new MachineExplanation(
                    key, MachineSummary.UNKNOWN, null, List.of(), "No inventory row names this machine.");
        }
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (attempt != null) {
            return new MachineExplanation(key, open(attempt), attempt.rolloutRef(), List.of(), expected(attempt));
        }
        StartCandidate waiting = waiting(state, machine, now);
        if (waiting != null) {
            return waiting(gates, waiting, key);
        }
        return ended(key, machine, status);
    }

    /** The same in a word, of a state that has been settled. */
    public static MachineSummary summarizeMachine(FleetState state, GateChain gates, MachineView machine, Instant now) {
        UpgradeAttempt attempt = machine.attempt();
        if (attempt != null) {
            return new MachineSummary(open(attempt), attempt.rolloutRef(), null);
        }
        StartCandidate waiting = waiting(state, machine, now);
        if (waiting != null) {
            Gate closed = gates.firstClosed(waiting);
            return new MachineSummary(
                    MachineSummary.WAITING, waiting.rolloutRef(), closed == null ? null : closed.label());
        }
        List<RolloutEntry> entries = machine.entries();
        if (entries.isEmpty()) {
            return new MachineSummary(nothingAsked(machine), null, null);
        }
        RolloutEntry last = entries.get(entries.size() - 1);
        return new MachineSummary(last.outcome().label(), last.rolloutRef(), null);
    }

    private static String nothingAsked(MachineView machine) {
        return machine.optOut() ? MachineSummary.SKIPPED : MachineSummary.IDLE;
    }

    /** The machine on behalf of the first rollout that still wants something of it. */
    private static @Nullable StartCandidate waiting(FleetState state, MachineView machine, Instant now) {
        for (Rollout rollout : state.rollouts()) {
            StartCandidate candidate = rollout.isOver() ? null : state.candidateOf(rollout, machine, now);
            if (candidate != null && candidate.progressState().isWaiting()) {
                return candidate;
            }
        }
        return null;
    }

    private static MachineExplanation waiting(GateChain gates, StartCandidate candidate, MachineKey key) {
        List<ClosedGate> closed = gates.closed(candidate);
        String next = closed.isEmpty()
                ? "It starts as soon as its turn comes."
                : closed.get(0).message() + further(closed);
        return new MachineExplanation(key, MachineSummary.WAITING, candidate.rolloutRef(), closed, next);
    }

    /** What else is closed, and before when not all of it can be open. */
    private static String further(List<ClosedGate> closed) {
        if (closed.size() == 1) {
            return "";
        }
        String others = closed.stream()
                .skip(1)
                .map(gate -> gate.gate().label() + (gate.opensAt() == null ? "" : " (until " + gate.opensAt() + ")"))
                .distinct()
                .collect(Collectors.joining(", "));
        Instant last = closed.stream()
                .map(ClosedGate::opensAt)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        boolean unknown = closed.stream().anyMatch(gate -> gate.opensAt() == null);
        return " Closed as well: " + others
                + (last == null
                        ? "."
                        : "; it does not start before " + last + (unknown ? ", and not by that alone." : "."));
    }

    private static MachineExplanation ended(MachineKey key, MachineView machine, @Nullable MachineStatus status) {
        List<RolloutEntry> entries = machine.entries();
        if (entries.isEmpty()) {
            String next = machine.optOut() ? "It has opted out." : "No campaign or intent selects it.";
            return new MachineExplanation(key, nothingAsked(machine), null, List.of(), next);
        }
        RolloutEntry last = entries.get(entries.size() - 1);
        AttemptFailure failure = status == null ? null : status.lastFailure();
        String next = switch (last.outcome()) {
            case QUARANTINED ->
                "Look at the node, then order a retry or a skip"
                        + (failure == null
                                ? "."
                                : "; it failed with " + failure.reason().label() + ": " + failure.text());
            case OPEN ->
                machine.optOut()
                        ? "It has opted out."
                        : machine.isPresent()
                                ? "Its campaign is over."
                                : "Its inventory row is gone; it goes on when the row is back.";
            case SUCCEEDED, UNCHANGED, SKIPPED -> "Nothing more is asked of it.";
        };
        return new MachineExplanation(key, last.outcome().label(), last.rolloutRef(), List.of(), next);
    }

    private static String open(UpgradeAttempt attempt) {
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> MachineSummary.ADMITTED;
            case AttemptState.Running running -> running.step().label();
            case AttemptState.Unknown unknown -> MachineSummary.UNKNOWN;
        };
    }

    private static String expected(UpgradeAttempt attempt) {
        String cancelled = attempt.cancelled() ? " Its call is no longer wanted." : "";
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted ->
                "Its worker may call until " + admitted.leaseExpiresAt() + "." + cancelled;
            case AttemptState.Running running ->
                (running.step().mayHaveCalled() ? "It should end by " : "Its worker may call until ")
                        + running.deadline() + "." + cancelled;
            case AttemptState.Unknown unknown ->
                "Nothing is known of it since " + unknown.since()
                        + "; it holds its slot until a report, or until it is declared lost.";
        };
    }
}
