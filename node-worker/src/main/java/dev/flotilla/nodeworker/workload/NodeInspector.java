package dev.flotilla.nodeworker.workload;

import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inspects one node, and reads no more than is needed. */
public final class NodeInspector {
    private final WorkloadClusterClient workloadClusterClient;

    public NodeInspector(WorkloadClusterClient workloadClusterClient) {
        this.workloadClusterClient = workloadClusterClient;
    }

    /** Result of an inspection: what the node shows, and its snapshot if there is a Node. */
    public record InspectedNode(
            NodeInspection inspection, @Nullable NodeSnapshot snapshot, boolean missing) {
        static InspectedNode unreachable(String text) {
            return new InspectedNode(new NodeInspection.Unreachable(text), null, false);
        }
    }

    /**
     * Inspects a node with k8sd.
     *
     * @param changedAt when its change ended, because its status from before proves nothing; null before the change
     * @param before the node before the change; null if unknown
     */
    public InspectedNode inspectNode(
            String name, MachineRole role, @Nullable Instant changedAt, @Nullable NodeSnapshot before, Instant now) {
        return role == MachineRole.CONTROL_PLANE && changedAt != null
                ? amongMembers(name, changedAt, before, now)
                : alone(name, role, changedAt, before, now);
    }

    /** Inspects a node that has no k8sd: what the other members show about theirs means nothing. */
    public InspectedNode inspectNodeWithoutK8sd(
            String name, MachineRole role, @Nullable Instant changedAt, @Nullable NodeSnapshot before, Instant now) {
        return alone(name, role, changedAt, before, now);
    }

    /** Inspects a control-plane member with one list, which shows the other members as well. */
    private InspectedNode amongMembers(String name, Instant changedAt, @Nullable NodeSnapshot before, Instant now) {
        if (workloadClusterClient.listControlPlaneNodes()
                instanceof WorkloadClusterClient.NodeListResult.NodesListed members) {
            for (NodeSnapshot facts : members.nodes()) {
                if (facts.name().equals(name)) {
                    return seen(
                            facts, MachineRole.CONTROL_PLANE, changedAt, before, now, untold(name, members.nodes()));
                }
            }
        }
        return alone(name, MachineRole.CONTROL_PLANE, changedAt, before, now);
    }

    /**
     * Finds a member whose kubelet runs a version that its k8sd does not show yet: its database waits, or was just
     * opened.
     */
    private static @Nullable String untold(String name, List<NodeSnapshot> members) {
        return members.stream()
                .filter(member -> !member.name().equals(name) && member.kubelet() != null && member.revision() == null)
                .map(NodeSnapshot::name)
                .sorted()
                .findFirst()
                .orElse(null);
    }

    /** Returns the conditions of a Node as text, or why it cannot be read. */
    public List<String> readConditions(String name) {
        KubeResponse reply = workloadClusterClient.node(name);
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
                + node.annotation(NodeSnapshot.SNAP_VERSION));
        return lines;
    }

    private InspectedNode alone(
            String name, MachineRole role, @Nullable Instant changedAt, @Nullable NodeSnapshot before, Instant now) {
        KubeResponse reply = workloadClusterClient.node(name);
        if (reply.isMissing()) {
            return new InspectedNode(new NodeInspection.Unreachable("there is no Node " + name), null, true);
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return InspectedNode.unreachable(
                    "the cluster's API server cannot read node " + name + ": " + reply.problem());
        }
        return seen(NodeSnapshot.of(successResponse.object()), role, changedAt, before, now, null);
    }

    private InspectedNode seen(
            NodeSnapshot facts,
            MachineRole role,
            @Nullable Instant changedAt,
            @Nullable NodeSnapshot before,
            Instant now,
            @Nullable String untold) {
        // k8sd does not list changes: that one runs shows only when it rejects a call.
        return new InspectedNode(
                new NodeInspection.ObservedNode(
                        facts.revision(), facts.kubelet(), isWell(facts, role, changedAt, before, now), false, untold),
                facts,
                false);
    }

    private boolean isWell(
            NodeSnapshot facts,
            MachineRole role,
            @Nullable Instant changedAt,
            @Nullable NodeSnapshot before,
            Instant now) {
        if (!facts.ready()) {
            return false;
        }
        boolean another = changedAt != null && before != null && facts.isOtherKubelet(before);
        if (!KubeletHeartbeat.isRecentInStatus(facts.heartbeat(), another ? null : changedAt, now)
                && !KubeletHeartbeat.isRecentInLease(workloadClusterClient.aliveAt(facts), changedAt, now)) {
            return false;
        }
        if (role != MachineRole.CONTROL_PLANE || changedAt == null) {
            return true;
        }
        String address = facts.internalIp();
        return (address != null && workloadClusterClient.servesApiAt(address))
                || !workloadClusterClient.showsApiAddresses();
    }
}
