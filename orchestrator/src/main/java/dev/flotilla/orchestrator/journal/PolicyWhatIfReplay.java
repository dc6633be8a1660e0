package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Decider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Replays the journal under another policy: which machines would have waited when they started, and which would have
 * started earlier. Each start is evaluated on the state that really preceded it. Earlier starts are evaluated on a
 * second state: a machine that would have started earlier holds its slot until it really started, because its duration
 * under the other policy is unknown.
 */
public final class PolicyWhatIfReplay {
    /** Smaller differences only mean that a transaction was full. */
    private static final Duration MIN_DIFFERENCE = Duration.ofSeconds(1);

    /** Limit of decisions that are due at one instant; the others are found at the next one. */
    private static final int MAX_DUE = 10_000;

    private final Decider decider;
    private final GateChain gates;
    private final Consumer<StartDifference> differenceListener;
    private final OverriddenState real;
    private final OverriddenState eager;
    private final Map<MachineKey, Instant> earlierStarts = new LinkedHashMap<>();
    private @Nullable Instant last;

    /**
     * A new leader decides its backlog before due work. The journal does not say when the backlog ends: reports of
     * workers may belong to it, other due work does not.
     */
    private boolean inBacklog = true;

    private long starts;
    private long laterStarts;
    private long earlierStartCount;

    /** The state of the journal with other policies: the journal's own rows of their scopes are overridden. */
    private static final class OverriddenState {
        private final ReplayedState replayedState = new ReplayedState();
        private final List<TableRow> rows = new ArrayList<>();
        private @Nullable FleetState overridden;

        OverriddenState(List<UpgradePolicy> policies) {
            for (UpgradePolicy policy : policies) {
                rows.add(policy);
                rows.add(new LastAcceptedPolicy(policy));
            }
        }

        void applyRecord(JournalRecord record) {
            replayedState.applyRecord(record, true);
            FleetState state = replayedState.state();
            if (state != null
                    && (state != overridden || record.changes().stream().anyMatch(this::isOverridden))) {
                overridden = state;
                rows.forEach(state::put);
            }
        }

        private boolean isOverridden(RowChange rowChange) {
            return rows.stream().anyMatch(row -> row.rowKey().equals(rowChange.rowKey()));
        }
    }

    /** A start that would have happened at another time. */
    public sealed interface StartDifference {
        MachineKey machine();

        Instant at();

        /** The machine started, and would have waited. */
        record LaterStart(long seq, MachineKey machine, Instant at, ClosedGate gate) implements StartDifference {}

        /** The machine would have started; actualAt is null if it has not started yet. */
        record EarlierStart(
                MachineKey machine, Instant at, @Nullable Instant actualAt) implements StartDifference {}
    }

    public PolicyWhatIfReplay(
            Decider decider,
            GateChain gates,
            List<UpgradePolicy> policies,
            Consumer<StartDifference> differenceListener) {
        this.decider = decider;
        this.gates = gates;
        this.real = new OverriddenState(policies);
        this.eager = new OverriddenState(policies);
        this.differenceListener = differenceListener;
    }

    /** Replays the journal's next record. */
    public void replayRecord(JournalRecord record) {
        DecisionInput input = JournaledInputReader.toDecisionInput(record);
        FleetState state = real.replayedState.state();
        FleetState other = eager.replayedState.state();
        if (state != null && other != null && input != null) {
            if (input instanceof DecisionInput.TimePassed) {
                inBacklog &= JournaledInputReader.mayBeReport(record);
                for (RowChange rowChange : record.changes()) {
                    if (rowChange instanceof WorkerCommand.UpgradeMachine command) {
                        replayStart(state, record, command);
                    }
                }
            } else if (input instanceof DecisionInput.LeaderElected) {
                inBacklog = true;
            } else if (last != null && !inBacklog) {
                startAhead(other, last);
            }
            last = record.decidedAt();
        }
        real.applyRecord(record);
        eager.applyRecord(record);
    }

    private void replayStart(FleetState state, JournalRecord record, WorkerCommand.UpgradeMachine command) {
        if (command.attemptId() != record.seq()) {
            // A renewal.
            return;
        }
        starts++;
        Instant before = earlierStarts.remove(command.key());
        if (before != null) {
            reportEarlierStart(command.key(), before, record.decidedAt());
            return;
        }
        MachineExplanation explanation =
                MachineExplainer.explainMachine(state, gates, command.key(), record.decidedAt());
        if (!explanation.closedGates().isEmpty() && Objects.equals(explanation.rolloutRef(), rolloutOf(record))) {
            laterStarts++;
            differenceListener.accept(new StartDifference.LaterStart(
                    record.seq(),
                    command.key(),
                    record.decidedAt(),
                    explanation.closedGates().getFirst()));
        }
    }

    /** The rollout for which a machine started; for others it may have waited. */
    private static @Nullable RolloutRef rolloutOf(JournalRecord record) {
        for (RowChange rowChange : record.changes()) {
            if (rowChange instanceof MachineStatus status && status.attempt() != null) {
                return status.attempt().rolloutRef();
            }
        }
        return null;
    }

    private void reportEarlierStart(MachineKey machine, Instant before, @Nullable Instant actualAt) {
        if (actualAt == null || Duration.between(before, actualAt).compareTo(MIN_DIFFERENCE) >= 0) {
            earlierStartCount++;
            differenceListener.accept(new StartDifference.EarlierStart(machine, before, actualAt));
        }
    }

    /** Decides what is due at an instant only under the other policy, after everything that was really due. */
    private void startAhead(FleetState state, Instant at) {
        for (int i = 0; i < MAX_DUE; i++) {
            Decision due = decider.decide(state, new DecisionInput.TimePassed(at));
            if (due.isNothing()) {
                return;
            }
            for (RowChange rowChange : due.changes()) {
                if (!(rowChange instanceof FleetHead)) {
                    state.put(rowChange);
                }
                if (rowChange instanceof WorkerCommand.UpgradeMachine command && command.attemptId() == due.seq()) {
                    earlierStarts.put(command.key(), at);
                }
            }
        }
    }

    /** Reports machines that would have started by now and have not. */
    public void finishReplay() {
        Instant now = last;
        if (now != null) {
            earlierStarts.forEach((machine, at) -> reportEarlierStart(
                    machine, at, Duration.between(at, now).compareTo(MIN_DIFFERENCE) < 0 ? now : null));
        }
        earlierStarts.clear();
    }

    /** How many machines really started; those before the first complete chapter are not counted. */
    public long countStarts() {
        return starts;
    }

    /** How many of them would have waited. */
    public long countLaterStarts() {
        return laterStarts;
    }

    /** How many machines would have started earlier. */
    public long countEarlierStarts() {
        return earlierStartCount;
    }
}
