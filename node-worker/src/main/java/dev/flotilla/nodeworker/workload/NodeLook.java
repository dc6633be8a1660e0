package dev.flotilla.nodeworker.workload;

import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A look at one node. What is not needed to know that it is well is not read. */
public final class NodeLook {
    private final Nodes nodes;

    public NodeLook(Nodes nodes) {
        this.nodes = nodes;
    }

    /** What came of it: the sight, and the node where there is one. */
    public record Seen(NodeInspection sight, @Nullable NodeFacts facts, boolean missing) {
        static Seen dark(String text) {
            return new Seen(new NodeInspection.Unreachable(text), null, false);
        }
    }

    /**
     * Looks.
     *
     * @param changedAt when a change of the node ended: what it said before proves nothing; null before the change
     * @param before the node as it was before the change; null where nobody remembers
     */
    public Seen look(String name, MachineRole role, @Nullable Instant changedAt, @Nullable NodeFacts before, Instant now) {
        return role == MachineRole.CONTROL_PLANE && changedAt != null
                ? amongMembers(name, changedAt, before, now)
                : alone(name, role, changedAt, before, now);
    }

    /** One list instead of one object says how the others are as well. */
    private Seen amongMembers(String name, Instant changedAt, @Nullable NodeFacts before, Instant now) {
        if (nodes.members() instanceof Nodes.Listed.All members) {
            for (NodeFacts facts : members.nodes()) {
                if (facts.name().equals(name)) {
                    return seen(facts, MachineRole.CONTROL_PLANE, changedAt, before, now, untold(name, members.nodes()));
                }
            }
        }
        return alone(name, MachineRole.CONTROL_PLANE, changedAt, before, now);
    }

    /** A member whose kubelet runs what its k8sd does not show: its database waits, or has just been opened. */
    private static @Nullable String untold(String name, List<NodeFacts> members) {
        return members.stream()
                .filter(member -> !member.name().equals(name) && member.kubelet() != null && member.revision() == null)
                .map(NodeFacts::name)
                .sorted()
                .findFirst()
                .orElse(null);
    }

    /** The conditions of a Node, for people; or why it cannot be read. */
    public List<String> conditions(String name) {
        KubeResponse reply = nodes.node(name);
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return List.of(reply.problem());
        }
        KubeObject node = successResponse.object();
        List<String> lines = new ArrayList<>();
        for (KubeObject condition : node.list("status", "conditions")) {
            lines.add(condition.text("type") + "=" + condition.text("status") + " " + condition.text("reason")
                    + " since " + condition.text("lastTransitionTime") + ": " + condition.text("message"));
        }
        lines.add("kubelet " + node.text("status", "nodeInfo", "kubeletVersion") + ", k8sd.io/version "
                + node.annotation(NodeFacts.SNAP_VERSION));
        return lines;
    }

    private Seen alone(String name, MachineRole role, @Nullable Instant changedAt, @Nullable NodeFacts before, Instant now) {
        KubeResponse reply = nodes.node(name);
        if (reply.isMissing()) {
            return new Seen(new NodeInspection.Unreachable("there is no Node " + name), null, true);
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return Seen.dark("the cluster's API does not tell of node " + name + ": " + reply.problem());
        }
        return seen(NodeFacts.of(successResponse.object()), role, changedAt, before, now, null);
    }

    private Seen seen(
            NodeFacts facts,
            MachineRole role,
            @Nullable Instant changedAt,
            @Nullable NodeFacts before,
            Instant now,
            @Nullable String untold) {
        // k8sd has no list of changes: that one runs is learned from its refusal.
        return new Seen(
                new NodeInspection.ObservedNode(
                        facts.revision(), facts.kubelet(), isWell(facts, role, changedAt, before, now), false, untold),
                facts,
                false);
    }

    private boolean isWell(
            NodeFacts facts, MachineRole role, @Nullable Instant changedAt, @Nullable NodeFacts before, Instant now) {
        if (!facts.ready()) {
            return false;
        }
        boolean another = changedAt != null && before != null && facts.isOfAnotherKubelet(before);
        if (!Heartbeat.inStatus(facts.heartbeat(), another ? null : changedAt, now)
                && !Heartbeat.inLease(nodes.renewed(facts.name()), changedAt, now)) {
            return false;
        }
        if (role != MachineRole.CONTROL_PLANE || changedAt == null) {
            return true;
        }
        String address = facts.internalIp();
        return address != null && nodes.offersApiAt(address);
    }
}
