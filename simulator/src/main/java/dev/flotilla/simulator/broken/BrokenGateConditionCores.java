package dev.flotilla.simulator.broken;

import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.simulator.check.Invariant;
import java.util.List;

/** Cores with a gate that ignores one of its conditions. */
final class BrokenGateConditionCores {
    private BrokenGateConditionCores() {}

    static List<BrokenCore> all() {
        return List.of(
                machine("deletion-ignored", "a machine that is being deleted is started", "is being deleted")
                        .expectedToBreak(Invariant.DELETION),
                machine("missing-node-ignored", "a machine is started before its node has joined", "has no node")
                        .expectedToBreak(Invariant.NO_NODE),
                machine("hold-ignored", "a machine on hold is started", "is on hold")
                        .expectedToBreak(Invariant.HOLD),
                machine("paused-machine-ignored", "a paused machine is started", "is paused")
                        .expectedToBreak(Invariant.HOLD),
                machine(
                                "foreign-ignored",
                                "a machine is started that another controller upgrades",
                                "another controller")
                        .expectedToBreak(Invariant.OTHER_CONTROLLER),
                machine("rolling-ignored", "a machine is started whose owner rolls its machines", "is rolling")
                        .expectedToBreak(Invariant.OWNER),
                machine("scaling-ignored", "a machine is started whose owner scales", "is scaling")
                        .expectedToBreak(Invariant.OWNER),
                machine("remediation-ignored", "a machine is started that is being remediated", "remediated")
                        .expectedToBreak(Invariant.REMEDIATION),
                machine("certificates-ignored", "a machine is started that gets new certificates", "certificates")
                        .expectedToBreak(Invariant.CERTIFICATES),
                machine("unreadable-machine-opens", "a machine with an unreadable row is started", "cannot be read")
                        .expectedToBreak(Invariant.UNREADABLE_ROW),
                order(
                                "quarantined-member-ignored",
                                "a control plane continues despite a quarantined member",
                                "quarantined")
                        .expectedToBreak(Invariant.QUARANTINED_MEMBER),
                order(
                                "control-planes-together",
                                "two members of a control plane are started at once",
                                "another control-plane")
                        .expectedToBreak(Invariant.ONE_AT_A_TIME),
                BrokenConstraintCores.opens(
                                "workers-beside-control-plane",
                                "a worker is started while a member of its control plane is in flight",
                                GateLabel.CLUSTER_ORDER,
                                closedGate -> closedGate.actual().startsWith("a control-plane machine")
                                        && closedGate.actual().endsWith("is in flight"))
                        .expectedToBreak(Invariant.ONE_AT_A_TIME),
                BrokenConstraintCores.opens(
                                "workers-first",
                                "workers are started before their control plane is at its target",
                                GateLabel.CLUSTER_ORDER,
                                closedGate -> closedGate.actual().contains("not at its target"))
                        .expectedToBreak(Invariant.ORDER),
                health("held-cluster-ignored", "machines of a cluster on hold are started", "is on hold")
                        .expectedToBreak(Invariant.HELD_CLUSTER),
                health("paused-cluster-ignored", "machines of a paused cluster are started", "is paused")
                        .expectedToBreak(Invariant.HELD_CLUSTER),
                health(
                                "unreadable-cluster-opens",
                                "machines of a cluster with an unreadable row are started",
                                "no readable inventory row")
                        .expectedToBreak(Invariant.UNREADABLE_ROW),
                health("replicas-not-counted", "a control plane is upgraded while it scales", "should have")
                        .expectedToBreak(Invariant.REPLICAS),
                health(
                                "unready-member-ignored",
                                "a control plane continues while a member is not ready",
                                "are not ready")
                        .expectedToBreak(Invariant.CONTROL_PLANE),
                BrokenConstraintCores.opens(
                                "half-done-control-plane-taken",
                                "a control plane that one campaign has started is continued by another",
                                GateLabel.CLAIMED_BY_OTHER,
                                candidate -> candidate.machine().isControlPlane(),
                                closedGate -> true)
                        .expectedToBreak(Invariant.PARTIAL_CONTROL_PLANE),
                condition("start-ignored", "a campaign begins before its start", "not started")
                        .expectedToBreak(Invariant.START),
                condition("deadline-ignored", "a campaign starts machines after its deadline", "past its deadline")
                        .expectedToBreak(Invariant.DEADLINE));
    }

    private static BrokenCore machine(String name, String what, String text) {
        return BrokenConstraintCores.opens(
                name,
                what,
                GateLabel.MACHINE_NOT_ELIGIBLE,
                closedGate -> closedGate.actual().contains(text));
    }

    private static BrokenCore order(String name, String what, String text) {
        return BrokenConstraintCores.opens(
                name,
                what,
                GateLabel.CLUSTER_ORDER,
                BrokenGateConditionCores::isControlPlane,
                closedGate -> closedGate.actual().contains(text));
    }

    private static BrokenCore health(String name, String what, String text) {
        return BrokenConstraintCores.opens(
                name,
                what,
                GateLabel.CLUSTER_HEALTH,
                closedGate -> closedGate.message().contains(text));
    }

    private static BrokenCore condition(String name, String what, String text) {
        return BrokenConstraintCores.opens(
                name,
                what,
                GateLabel.CAMPAIGN_NOT_RUNNING,
                closedGate -> closedGate.actual().contains(text));
    }

    private static boolean isControlPlane(StartCandidate candidate) {
        return candidate.machine().isControlPlane();
    }
}
