package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.limits.FailureCohort;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import java.util.function.Predicate;

/** Cores that do not recognize which machines fail together. */
final class BrokenFailureCohortCores {
    private BrokenFailureCohortCores() {}

    static List<BrokenCore> all() {
        return List.of(
                opens("cohort-ignored", "machines of a failing cohort are started anyway", cohort -> true)
                        .expectedToBreak(Invariant.COHORT),
                opens(
                                "cohort-by-labels-alone",
                                "cohorts are formed by labels only, not by site, architecture or revision",
                                cohort -> List.of("site", "architecture", "revision")
                                        .contains(cohort.dimension()))
                        .expectedToBreak(Invariant.COHORT),
                new BrokenCore(
                                "origin-forgotten",
                                "the revision that a machine was started from is not recorded",
                                SystemUnderTest.REAL.with(() -> BrokenFailureCohortCores::forgetting))
                        .expectedToBreak(Invariant.COHORT));
    }

    private static BrokenCore opens(String name, String what, Predicate<FailureCohort> wrongly) {
        GateChain broken = GateChain.standard()
                .with(
                        GateLabel.FAILURE_COHORT,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> {
                                    FailureCohort cohort = candidate.rollout().closedCohort(candidate.machine());
                                    return gate.isOpen(candidate) || (cohort != null && wrongly.test(cohort));
                                },
                                gate.explain()));
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> new FleetDecider(broken)));
    }

    private static Decision forgetting(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        if (decision.event() != DecisionEvent.ATTEMPT_ADMITTED) {
            return decision;
        }
        return DecisionRewriter.each(
                decision, rowChange -> rowChange instanceof MachineStatus status ? without(status) : rowChange);
    }

    private static MachineStatus without(MachineStatus status) {
        List<RolloutEntry> entries = status.entries().stream()
                .map(entry -> new RolloutEntry(
                        entry.rolloutRef(), entry.wave(), entry.failedAttempts(), entry.retryAt(), entry.outcome()))
                .toList();
        return new MachineStatus(status.key(), status.uid(), status.attempt(), status.lastFailure(), entries);
    }
}
