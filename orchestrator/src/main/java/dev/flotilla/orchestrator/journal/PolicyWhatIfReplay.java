package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Decider;
import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionInput;
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
 * What the journal tells, under another policy: which machines would have had to wait when they started, and which would have
 * started sooner. Each start is asked about on what had really happened before it. Which would have started sooner is asked about
 * apart: one that would have holds its slot until it really started, as nobody knows how long it would have taken otherwise.
 */
public final class PolicyWhatIfReplay {
    /** Starts that differ by less say nothing but that a transaction was full. */
    private static final Duration SOONER = Duration.ofSeconds(1);

    /** Decisions that fall due at one instant; what is left is found at the next. */
    private static final int MOST_AT_ONCE = 10_000;

    private final Decider decider;
    private final GateChain gates;
    private final Consumer<StartDifference> differs;
    private final Amended real;
    private final Amended eager;
    private final Map<MachineKey, Instant> ahead = new LinkedHashMap<>();
    private @Nullable Instant last;

    /**
     * Who takes over decides nothing that is due before what had waited. The journal does not say when that is over: the words of
     * workers may be of what had waited, whatever else falls due is not.
     */
    private boolean catchesUp = true;

    private long countStarts;
    private long countLaterStarts;
    private long countEarlierStarts;

    /** What the journal tells, but for policies: what it says of their scopes does not hold here. */
    private static final class Amended {
        private final ReplayedState told = new ReplayedState();
        private final List<TableRow> rows = new ArrayList<>();
        private @Nullable FleetState amended;

        Amended(List<UpgradePolicy> policies) {
            for (UpgradePolicy policy : policies) {
                rows.add(policy);
                rows.add(new LastAcceptedPolicy(policy));
            }
        }

        void take(JournalRecord record) {
            told.applyRecord(record, true);
            FleetState state = told.state();
            if (state != null && (state != amended || record.changes().stream().anyMatch(this::isOverruled))) {
                amended = state;
                rows.forEach(state::put);
            }
        }

        private boolean isOverruled(RowChange rowChange) {
            return rows.stream().anyMatch(row -> row.rowKey().equals(rowChange.rowKey()));
        }
    }

    /** A start that would have been at another time. */
    public sealed interface StartDifference {
        MachineKey machine();

        Instant at();

        /** It started, and would have waited. */
        record LaterStart(long seq, MachineKey machine, Instant at, ClosedGate gate) implements StartDifference {}

        /** It would have started; when it really did is null where it has not yet. */
        record EarlierStart(
                MachineKey machine, Instant at, @Nullable Instant actualAt) implements StartDifference {}
    }

    public PolicyWhatIfReplay(
            Decider decider, GateChain gates, List<UpgradePolicy> policies, Consumer<StartDifference> differs) {
        this.decider = decider;
        this.gates = gates;
        this.real = new Amended(policies);
        this.eager = new Amended(policies);
        this.differs = differs;
    }

    /** Takes the journal's next record. */
    public void replayRecord(JournalRecord record) {
        DecisionInput input = JournaledInputReader.toDecisionInput(record);
        FleetState state = real.told.state();
        FleetState other = eager.told.state();
        if (state != null && other != null && input != null) {
            if (input instanceof DecisionInput.TimePassed) {
                catchesUp &= JournaledInputReader.mayBeReport(record);
                for (RowChange rowChange : record.changes()) {
                    if (rowChange instanceof WorkerCommand.UpgradeMachine command) {
                        started(state, record, command);
                    }
                }
            } else if (input instanceof DecisionInput.LeaderElected) {
                catchesUp = true;
            } else if (last != null && !catchesUp) {
                startAhead(other, last);
            }
            last = record.decidedAt();
        }
        real.take(record);
        eager.take(record);
    }

    private void started(FleetState state, JournalRecord record, WorkerCommand.UpgradeMachine command) {
        if (command.attemptId() != record.seq()) {
            // A renewal.
            return;
        }
        countStarts++;
        Instant before = ahead.remove(command.key());
        if (before != null) {
            soonerThan(command.key(), before, record.decidedAt());
            return;
        }
        MachineExplanation waits = MachineExplainer.explainMachine(state, gates, command.key(), record.decidedAt());
        if (!waits.closedGates().isEmpty() && Objects.equals(waits.rolloutRef(), driver(record))) {
            countLaterStarts++;
            differs.accept(new StartDifference.LaterStart(
                    record.seq(),
                    command.key(),
                    record.decidedAt(),
                    waits.closedGates().getFirst()));
        }
    }

    /** On whose behalf a machine started; for others it may have had to wait. */
    private static @Nullable RolloutRef driver(JournalRecord record) {
        for (RowChange rowChange : record.changes()) {
            if (rowChange instanceof MachineStatus status && status.attempt() != null) {
                return status.attempt().rolloutRef();
            }
        }
        return null;
    }

    private void soonerThan(MachineKey machine, Instant before, @Nullable Instant really) {
        if (really == null || Duration.between(before, really).compareTo(SOONER) >= 0) {
            countEarlierStarts++;
            differs.accept(new StartDifference.EarlierStart(machine, before, really));
        }
    }

    /** All that really fell due at an instant has been told: what falls due still does so under the other policy alone. */
    private void startAhead(FleetState state, Instant at) {
        for (int i = 0; i < MOST_AT_ONCE; i++) {
            Decision due = decider.decide(state, new DecisionInput.TimePassed(at));
            if (due.isNothing()) {
                return;
            }
            for (RowChange rowChange : due.changes()) {
                if (!(rowChange instanceof FleetHead)) {
                    state.put(rowChange);
                }
                if (rowChange instanceof WorkerCommand.UpgradeMachine command && command.attemptId() == due.seq()) {
                    ahead.put(command.key(), at);
                }
            }
        }
    }

    /** Tells what would have started by now and has not. */
    public void finishReplay() {
        Instant now = last;
        if (now != null) {
            ahead.forEach((machine, at) ->
                    soonerThan(machine, at, Duration.between(at, now).compareTo(SOONER) < 0 ? now : null));
        }
        ahead.clear();
    }

    /** How many machines really started; those before the first chapter that is kept whole are not counted. */
    public long countStarts() {
        return countStarts;
    }

    /** How many of them would have had to wait. */
    public long countLaterStarts() {
        return countLaterStarts;
    }

    /** How many machines would have started sooner. */
    public long countEarlierStarts() {
        return countEarlierStarts;
    }
}
