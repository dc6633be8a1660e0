package dev.flotilla.nodeworker.workload;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks on the cluster itself right before a call, since the inventory is only a hint. The texts are stable: the same
 * cause has the same text.
 */
public final class ClusterAvailability {
    private ClusterAvailability() {}

    /**
     * Returns why a control plane cannot lose a member now; null if it can.
     *
     * @param members its Nodes
     * @param replicas how many members it should have; null if unknown
     * @param renewed when each member's lease was renewed
     */
    public static @Nullable String checkControlPlane(
            String node,
            List<NodeSnapshot> members,
            @Nullable Long replicas,
            Map<String, Instant> renewed,
            Instant now) {
        if (replicas == null) {
            return "the number of the control plane's members is unknown";
        }
        if (!Objects.equals(replicas, (long) members.size())) {
            return "the control plane has " + members.size() + " members of " + replicas;
        }
        if (members.stream().noneMatch(member -> member.name().equals(node))) {
            return "node " + node + " is no member of the control plane";
        }
        return members.stream()
                .filter(member -> !member.name().equals(node))
                .sorted(Comparator.comparing(NodeSnapshot::name))
                .filter(member ->
                        !member.ready() || !KubeletHeartbeat.isRecentInLease(renewed.get(member.name()), null, now))
                .findFirst()
                .map(member -> "control-plane member " + member.name() + " is not Ready")
                .orElse(null);
    }

    /**
     * Returns which of the other members does not serve the API; null if all do. A member with a dead datastore does
     * not.
     *
     * @param serving addresses at which the API is served
     */
    public static @Nullable String checkApiServers(List<NodeSnapshot> others, Set<String> serving) {
        return others.stream()
                .sorted(Comparator.comparing(NodeSnapshot::name))
                .filter(member -> member.internalIp() == null || !serving.contains(member.internalIp()))
                .findFirst()
                .map(member -> "control-plane member " + member.name() + " does not serve the API")
                .orElse(null);
    }

    /** Returns why a cluster cannot lose a worker now; null if it can. */
    public static @Nullable String checkWorkers(String node, List<NodeSnapshot> nodes, int maxUnavailable) {
        long unavailable = nodes.stream()
                .filter(other -> !other.name().equals(node) && !other.controlPlane())
                .filter(other -> !other.ready() || other.unschedulable())
                .count();
        return unavailable + 1 > maxUnavailable
                ? "other workers that are not Ready or are cordoned: " + unavailable + "; maxUnavailable is "
                        + maxUnavailable
                : null;
    }
}
