package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import java.util.function.BiPredicate;

/** Cores with one gate that does not close when it should. */
final class BrokenGateCores {
    private BrokenGateCores() {}

    static List<BrokenCore> all() {
        return List.of(
                opens(
                                "fleet-cap-off-by-one",
                                "one machine more than the fleet's cap is started",
                                GateLabel.FLEET_CAP,
                                BrokenGateCores::isExactlyFull)
                        .expectedToBreak(Invariant.FLEET_CAP),
                ignores("site-cap-ignored", "a site's cap is ignored", GateLabel.SITE_CAP)
                        .expectedToBreak(Invariant.SITE_CAP),
                ignores("campaign-cap-ignored", "a campaign's own cap is ignored", GateLabel.CAMPAIGN_CAP)
                        .expectedToBreak(Invariant.CAMPAIGN_CAP),
                ignores("domain-cap-ignored", "the cap of a topology domain is ignored", GateLabel.DOMAIN_CAP)
                        .expectedToBreak(Invariant.DOMAIN_CAP),
                ignores("cluster-cap-ignored", "the cap within a cluster is ignored", GateLabel.CLUSTER_CAP)
                        .expectedToBreak(Invariant.CLUSTER_CAP),
                ignores(
                                "cluster-health-ignored",
                                "unavailable machines of a cluster are not counted",
                                GateLabel.CLUSTER_HEALTH)
                        .expectedToBreak(Invariant.WORKERS),
                opens(
                                "unready-not-counted",
                                "only workers in flight count as unavailable",
                                GateLabel.CLUSTER_HEALTH,
                                (candidate, closedGate) -> onlyUnready(candidate))
                        .expectedToBreak(Invariant.WORKERS),
                ignores("budget-ignored", "the failure budget is ignored", GateLabel.FAILURE_BUDGET)
                        .expectedToBreak(Invariant.BUDGET),
                opens(
                                "budget-off-by-one",
                                "one failure more than the budget is risked",
                                GateLabel.FAILURE_BUDGET,
                                (candidate, closedGate) ->
                                        number(closedGate.actual()) == number(closedGate.required()) + 1)
                        .expectedToBreak(Invariant.BUDGET),
                ignores("freeze-ignored", "a freeze stops nothing", GateLabel.FREEZE)
                        .expectedToBreak(Invariant.FREEZE),
                new BrokenCore(
                                "freeze-revokes-nothing",
                                "a freeze stops starts but revokes no commands",
                                gates(GateLabel.FREEZE, BrokenGateCores::withoutLeaseEffect))
                        .expectedToBreak(Invariant.CANCELLED),
                opens(
                                "pause-ignored",
                                "a paused campaign continues",
                                GateLabel.CAMPAIGN_NOT_RUNNING,
                                (candidate, closedGate) -> isPaused(candidate))
                        .expectedToBreak(Invariant.CAMPAIGN_ORDER),
                ignores("waves-ignored", "a wave does not wait for the one before it", GateLabel.WAVE)
                        .expectedToBreak(Invariant.WAVE),
                ignores("silence-ignored", "machines of a silent site are started", GateLabel.SITE_SILENT)
                        .expectedToBreak(Invariant.SILENT_SITE),
                ignores("mass-removal-ignored", "a site with withheld deletions continues", GateLabel.MASS_REMOVAL)
                        .expectedToBreak(Invariant.MASS_REMOVAL),
                ignores("backoff-ignored", "a failed machine is retried immediately", GateLabel.BACKOFF)
                        .expectedToBreak(Invariant.BACKOFF),
                ignores(
                                "unreadable-record-opens",
                                "an unreadable freeze, policy or state order closes nothing",
                                GateLabel.REJECTED_INPUT)
                        .expectedToBreak(Invariant.UNREADABLE),
                ignores(
                                "claims-ignored",
                                "a machine is started although another campaign has precedence",
                                GateLabel.CLAIMED_BY_OTHER)
                        .expectedToBreak(Invariant.CLAIMED_BY_OTHER),
                ignores("clock-ignored", "a leader with a wrong clock continues", GateLabel.CLOCK_SKEW)
                        .expectedToBreak(Invariant.CLOCK_SKEW));
    }

    private static BrokenCore ignores(String name, String what, GateLabel label) {
        return opens(name, what, label, (candidate, closedGate) -> true);
    }

    private static BrokenCore opens(
            String name, String what, GateLabel label, BiPredicate<StartCandidate, ClosedGate> wrongly) {
        return new BrokenCore(name, what, gates(label, gate -> opening(gate, wrongly)));
    }

    private static SystemUnderTest gates(GateLabel label, java.util.function.UnaryOperator<Gate> change) {
        GateChain broken = GateChain.standard().with(label, change);
        return SystemUnderTest.REAL.with(() -> new FleetDecider(broken));
    }

    private static Gate opening(Gate gate, BiPredicate<StartCandidate, ClosedGate> wrongly) {
        return new Gate(
                gate.label(),
                gate.level(),
                gate.leaseEffect(),
                candidate -> gate.isOpen(candidate) || wrongly.test(candidate, gate.explain(candidate)),
                gate.explain());
    }

    private static Gate withoutLeaseEffect(Gate gate) {
        return new Gate(gate.label(), gate.level(), Gate.LeaseEffect.NONE, gate.open(), gate.explain());
    }

    private static boolean isExactlyFull(StartCandidate candidate, ClosedGate closedGate) {
        return closedGate.actual().equals(closedGate.required());
    }

    private static boolean onlyUnready(StartCandidate candidate) {
        return !candidate.machine().isControlPlane() && candidate.cluster().inFlight() == 0;
    }

    private static boolean isPaused(StartCandidate candidate) {
        return candidate.rollout() instanceof CampaignRollout campaign
                && campaign.status().state() == CampaignState.PAUSED;
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }
}
