package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.simulator.check.Invariant;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Cores that are wrong about preparations. */
final class BrokenPreparationCores {
    private BrokenPreparationCores() {}

    static List<BrokenCore> all() {
        return List.of(
                BrokenConstraintCores.opens(
                                "prefetch-cap-of-fleet",
                                "more machines of the fleet prepare than its cap allows",
                                GateLabel.PREFETCH_CAP,
                                closedGate -> closedGate.message().startsWith("The fleet"))
                        .expectedToBreak(Invariant.PREFETCH_CAP),
                BrokenConstraintCores.opens(
                                "prefetch-cap-of-site",
                                "more machines of a site prepare than its cap allows",
                                GateLabel.PREFETCH_CAP,
                                closedGate -> closedGate.message().startsWith("Site"))
                        .expectedToBreak(Invariant.PREFETCH_CAP),
                BrokenConstraintCores.opens(
                                "prepares-while-upgrading",
                                "a machine is upgraded while it is prepared",
                                GateLabel.PREPARATION,
                                closedGate -> true)
                        .expectedToBreak(Invariant.PREPARATION),
                changes(
                                "prepared-again",
                                "a machine is prepared again after it was prepared",
                                DecisionEvent.PREPARATION_SUCCEEDED,
                                status -> status.withPreparation(null))
                        .expectedToBreak(Invariant.PREPARATION),
                changes(
                                "failed-preparation-counts-as-done",
                                "a machine whose preparation failed is upgraded as if it were prepared",
                                DecisionEvent.PREPARATION_FAILED,
                                BrokenPreparationCores::prepared)
                        .expectedToBreak(Invariant.PREPARATION),
                changes(
                                "failed-preparation-counts-as-failure",
                                "a failed preparation counts as a failed attempt",
                                DecisionEvent.PREPARATION_FAILED,
                                BrokenPreparationCores::failed)
                        .expectedToBreak(Invariant.PREPARATION));
    }

    private static BrokenCore changes(
            String name, String what, DecisionEvent event, UnaryOperator<MachineStatus> change) {
        return BrokenConstraintCores.core(name, what, () -> (state, input) -> {
            Decision decision = FleetDecider.standard().decide(state, input);
            return decision.event() == event
                    ? DecisionRewriter.each(decision, rowChange -> rewrite(rowChange, change))
                    : decision;
        });
    }

    private static RowChange rewrite(RowChange rowChange, UnaryOperator<MachineStatus> change) {
        return rowChange instanceof MachineStatus status ? change.apply(status) : rowChange;
    }

    private static MachineStatus prepared(MachineStatus status) {
        MachinePreparation preparation = status.preparation();
        return preparation == null
                ? status
                : status.withPreparation(preparation.with(new PreparationProgress.Prepared(Instant.EPOCH)));
    }

    private static MachineStatus failed(MachineStatus status) {
        MachinePreparation preparation = status.preparation();
        return preparation == null
                ? status
                : status.withEntries(
                        List.of(new RolloutEntry(preparation.rolloutRef(), "", 1, null, MachineOutcome.OPEN)));
    }
}
