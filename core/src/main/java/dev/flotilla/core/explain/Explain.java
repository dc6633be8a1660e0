package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says why a machine waits. It asks the gates that the decision asks, so it cannot say anything else. */
public final class Explain {
    private Explain() {}

    public static Explanation machine(FleetState state, Gates gates, MachineKey key, Instant now) {
        state.settle(gates, now);
        Machine machine = state.machine(key);
        if (machine == null) {
            return new Explanation(key, Glance.UNKNOWN, null, List.of(), "No inventory row names this machine.");
        }
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (attempt != null) {
            return new Explanation(key, open(attempt), attempt.rolloutRef(), List.of(), expected(attempt));
        }
        Candidate waiting = waiting(state, machine, now);
        if (waiting != null) {
            return waiting(gates, waiting, key);
        }
        return ended(key, machine, status);
    }

    /** The same in a word, of a state that has been settled. */
    public static Glance glance(FleetState state, Gates gates, Machine machine, Instant now) {
        UpgradeAttempt attempt = machine.attempt();
        if (attempt != null) {
            return new Glance(open(attempt), attempt.rolloutRef(), null);
        }
        Candidate waiting = waiting(state, machine, now);
        if (waiting != null) {
            Gate closed = gates.firstClosed(waiting);
            return new Glance(Glance.WAITING, waiting.driver(), closed == null ? null : closed.label());
        }
        List<RolloutEntry> entries = machine.entries();
        if (entries.isEmpty()) {
            return new Glance(nothingAsked(machine), null, null);
        }
        RolloutEntry last = entries.get(entries.size() - 1);
        return new Glance(last.outcome().label(), last.rolloutRef(), null);
    }

    private static String nothingAsked(Machine machine) {
        return machine.optOut() ? Glance.SKIPPED : Glance.IDLE;
    }

    /** The machine on behalf of the first rollout that still wants something of it. */
    private static @Nullable Candidate waiting(FleetState state, Machine machine, Instant now) {
        for (Rollout rollout : state.rollouts()) {
            Candidate candidate = rollout.over() ? null : state.candidate(rollout, machine, now);
            if (candidate != null && candidate.standing().waits()) {
                return candidate;
            }
        }
        return null;
    }

    private static Explanation waiting(Gates gates, Candidate candidate, MachineKey key) {
        List<Closed> closed = gates.closed(candidate);
        String next = closed.isEmpty()
                ? "It starts as soon as its turn comes."
                : closed.get(0).says() + further(closed);
        return new Explanation(key, Glance.WAITING, candidate.driver(), closed, next);
    }

    /** What else is closed, and before when not all of it can be open. */
    private static String further(List<Closed> closed) {
        if (closed.size() == 1) {
            return "";
        }
        String others = closed.stream()
                .skip(1)
                .map(gate -> gate.gate().label() + (gate.opens() == null ? "" : " (until " + gate.opens() + ")"))
                .distinct()
                .collect(Collectors.joining(", "));
        Instant last = closed.stream()
                .map(Closed::opens)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        boolean unknown = closed.stream().anyMatch(gate -> gate.opens() == null);
        return " Closed as well: " + others
                + (last == null
                        ? "."
                        : "; it does not start before " + last + (unknown ? ", and not by that alone." : "."));
    }

    private static Explanation ended(MachineKey key, Machine machine, @Nullable MachineStatus status) {
        List<RolloutEntry> entries = machine.entries();
        if (entries.isEmpty()) {
            String next = machine.optOut() ? "It has opted out." : "No campaign or intent selects it.";
            return new Explanation(key, nothingAsked(machine), null, List.of(), next);
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
        return new Explanation(key, last.outcome().label(), last.rolloutRef(), List.of(), next);
    }

    private static String open(UpgradeAttempt attempt) {
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> Glance.ADMITTED;
            case AttemptState.Running running -> running.step().label();
            case AttemptState.Unknown unknown -> Glance.UNKNOWN;
        };
    }

    private static String expected(UpgradeAttempt attempt) {
        String cancelled = attempt.cancelled() ? " Its call is no longer wanted." : "";
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> "Its worker may call until " + admitted.leaseExpiresAt() + "." + cancelled;
            case AttemptState.Running running ->
                (running.step().mayHaveCalled() ? "It should end by " : "Its worker may call until ")
                        + running.deadline() + "." + cancelled;
            case AttemptState.Unknown unknown ->
                "Nothing is known of it since " + unknown.since()
                        + "; it holds its slot until a report, or until it is declared lost.";
        };
    }
}
