package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.leader.OrchestratorSafeguards;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import java.util.Objects;

/** Orchestrators that handle a recreated topic wrongly. */
final class BrokenTopicRecreationCores {
    private BrokenTopicRecreationCores() {}

    static List<BrokenCore> all() {
        return List.of(
                new BrokenCore(
                                "recreated-topic-taken-as-the-old-one",
                                "a topic is recognized by where it ends, not by its id",
                                SystemUnderTest.REAL.with(OrchestratorSafeguards.ofLostSites(false, true)))
                        .expectedToBreak(Invariant.SAME_ROWS),
                new BrokenCore(
                                "lost-site-not-counted",
                                "machines in flight in a site that has lost records are not counted",
                                SystemUnderTest.REAL.with(OrchestratorSafeguards.ofLostSites(true, false)))
                        .expectedToBreak(Invariant.FLEET_CAP, Invariant.CAMPAIGN_CAP),
                new BrokenCore(
                                "adopt-keeps-the-old-offsets",
                                "the topics of an adopted site are read from the old offsets",
                                SystemUnderTest.REAL.with(() -> BrokenTopicRecreationCores::adoptedFromTheOldOffsets))
                        .expectedToBreak(Invariant.SAME_ROWS, Invariant.NOTHING_LOST));
    }

    private static Decision adoptedFromTheOldOffsets(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        List<RowChange> facts = decision.changes().stream()
                .map(rowChange -> rowChange instanceof SiteHead next ? keepingOffsets(state, next) : rowChange)
                .toList();
        return new Decision(
                decision.seq(), decision.at(), decision.event(), decision.subject(), decision.reason(), facts);
    }

    private static RowChange keepingOffsets(FleetState state, SiteHead next) {
        SiteState site = state.site(next.site());
        SiteHead before = site == null ? null : site.head();
        return before == null || Objects.equals(before.adoptOrderId(), next.adoptOrderId())
                ? next
                : next.withReadPosition(next.inFlight(), next.budgetUses(), before.offsets(), List.of());
    }
}
