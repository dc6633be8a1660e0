package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Cores that decide, remember or number wrongly. */
final class BrokenStateTrackingCores {
    private BrokenStateTrackingCores() {}

    static List<BrokenCore> all() {
        return List.of(
                core(
                                "batch-decided-without-put",
                                "starts of a batch are not counted until the batch is committed",
                                StaleCounts::new)
                        .expectedToBreak(Invariant.FLEET_CAP),
                core(
                                "budget-forgotten-after-restore",
                                "failures before a new leader's term do not count",
                                ForgottenBudget::new)
                        .expectedToBreak(Invariant.BUDGET),
                core(
                                "history-goes-with-the-row",
                                "a machine whose inventory row is missing for a while loses its history",
                                () -> BrokenStateTrackingCores::forgettingHistory)
                        .expectedToBreak(Invariant.MACHINE_HISTORY),
                core("numbers-used-again", "a new leader reuses numbers of the one before it", NumbersAgain::new)
                        .expectedToBreak(Invariant.NUMBERS),
                core(
                                "unknown-outcome-never-lost",
                                "an attempt of unknown outcome never counts as lost",
                                () -> BrokenStateTrackingCores::waitingForEver)
                        .expectedToBreak(Invariant.NOTHING_LOST),
                core(
                                "cancel-not-sent",
                                "an attempt is marked as cancelled, but its command is not revoked",
                                () -> BrokenStateTrackingCores::keepingCommands)
                        .expectedToBreak(Invariant.CANCELLED),
                core(
                                "refused-machine-asked-at-the-same-pace",
                                "a deferred machine is retried every 15 seconds",
                                () -> BrokenStateTrackingCores::keepingThePace)
                        .expectedToBreak(Invariant.BACKOFF),
                core(
                                "lease-without-end",
                                "a command lease lasts a day",
                                () -> BrokenStateTrackingCores::allowingForADay)
                        .expectedToBreak(Invariant.LEASE));
    }

    private static BrokenCore core(String name, String what, Supplier<Decider> decider) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(decider));
    }

    private static Decision forgettingHistory(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        List<RowChange> facts = new ArrayList<>(decision.changes());
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof Tombstone tombstone
                    && tombstone.rowKey().table() == Table.INVENTORY
                    && tombstone.rowKey().key() instanceof MachineKey key) {
                facts.add(new Tombstone(new RowKey(Table.STATUS, key)));
                facts.add(new Tombstone(new RowKey(Table.COMMANDS, key)));
            }
        }
        return DecisionRewriter.of(decision, facts);
    }

    private static Decision waitingForEver(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        boolean lost = (decision.event() == DecisionEvent.ATTEMPT_FAILED
                        || decision.event() == DecisionEvent.MACHINE_QUARANTINED)
                && decision.reason().equals(FailureReason.NO_REPORT.label());
        if (lost && decision.subject() instanceof MachineKey key) {
            MachineView machine = state.machine(key);
            if (machine != null) {
                state.dueWork().recheckAttemptAt(machine, decision.at().plus(Duration.ofDays(1000)));
            }
            return waitingForEver(state, input);
        }
        return decision;
    }

    private static Decision keepingThePace(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        if (decision.event() != DecisionEvent.ATTEMPT_DEFERRED) {
            return decision;
        }
        List<RowChange> facts = new ArrayList<>();
        for (RowChange rowChange : decision.changes()) {
            facts.add(
                    rowChange instanceof MachineStatus status
                            ? soon(status, decision.at().plusSeconds(15))
                            : rowChange);
        }
        return DecisionRewriter.of(decision, facts);
    }

    private static MachineStatus soon(MachineStatus status, Instant again) {
        List<RolloutEntry> entries = new ArrayList<>();
        for (RolloutEntry entry : status.entries()) {
            entries.add(entry.deferral() == null ? entry : entry.withDeferral(entry.deferral(), again));
        }
        return new MachineStatus(status.key(), status.uid(), status.attempt(), status.lastFailure(), entries);
    }

    private static Decision keepingCommands(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        return DecisionRewriter.of(
                decision,
                decision.changes().stream()
                        .filter(rowChange -> !(rowChange instanceof WorkerCommand.CancelUpgrade))
                        .toList());
    }

    private static Decision allowingForADay(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        return DecisionRewriter.each(
                decision,
                rowChange -> rowChange instanceof WorkerCommand.UpgradeMachine command
                        ? command.withLeaseUntil(command.leaseExpiresAt().plus(Duration.ofDays(1)))
                        : rowChange);
    }

    /**
     * A decider that reads the number of machines in flight only when an input arrives, and uses it for all that
     * follows.
     */
    private static final class StaleCounts implements Decider {
        private int inFlight;
        private final FleetDecider decider =
                new FleetDecider(GateChain.standard().with(GateLabel.FLEET_CAP, this::stale));

        private Gate stale(Gate gate) {
            return new Gate(
                    gate.label(),
                    gate.level(),
                    gate.leaseEffect(),
                    candidate -> gate.isOpen(candidate)
                            || inFlight < Long.parseLong(gate.explain(candidate).required()),
                    gate.explain());
        }

        @Override
        public Decision decide(FleetState state, DecisionInput input) {
            if (!(input instanceof DecisionInput.TimePassed)) {
                inFlight = state.inFlight();
            }
            return decider.decide(state, input);
        }
    }

    /** A decider that counts a campaign's failures only since its first check in its term. */
    private static final class ForgottenBudget implements Decider {
        private final Map<Object, Integer> before = new LinkedHashMap<>();
        private final FleetDecider decider =
                new FleetDecider(GateChain.standard().with(GateLabel.FAILURE_BUDGET, this::forgetting));

        private Gate forgetting(Gate gate) {
            return new Gate(
                    gate.label(),
                    gate.level(),
                    gate.leaseEffect(),
                    candidate -> {
                        int used = candidate.rollout().budgetUsed()
                                - candidate.rollout().inFlight();
                        int forgotten = before.computeIfAbsent(candidate.rollout(), rollout -> used);
                        return gate.isOpen(candidate)
                                || Long.parseLong(gate.explain(candidate).actual()) - forgotten
                                        <= Long.parseLong(
                                                gate.explain(candidate).required());
                    },
                    gate.explain());
        }

        @Override
        public Decision decide(FleetState state, DecisionInput input) {
            return decider.decide(state, input);
        }
    }

    /** A decider that begins a term a few numbers before the last one ended. */
    private static final class NumbersAgain implements Decider {
        private static final long BACK = 5;

        @Override
        public Decision decide(FleetState state, DecisionInput input) {
            Decision decision = FleetDecider.standard().decide(state, input);
            if (!(input instanceof DecisionInput.LeaderElected) || decision.seq() <= BACK) {
                return decision;
            }
            long seq = decision.seq() - BACK;
            List<RowChange> facts = new ArrayList<>();
            for (RowChange rowChange : decision.changes()) {
                facts.add(rowChange instanceof FleetHead head ? numbered(head, seq) : rowChange);
            }
            return new Decision(seq, decision.at(), decision.event(), decision.subject(), decision.reason(), facts);
        }

        private static FleetHead numbered(FleetHead head, long seq) {
            return new FleetHead(
                    head.term(),
                    seq,
                    head.decidedAt(),
                    head.journalHash(),
                    head.featureLevel(),
                    head.clockInSync(),
                    head.offsets());
        }
    }
}
