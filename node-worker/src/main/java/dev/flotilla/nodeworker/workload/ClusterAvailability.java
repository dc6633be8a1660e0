package dev.flotilla.nodeworker.workload;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The last look at the cluster itself, since the inventory is a hint. The texts are stable: the same cause reads the same. */
public final class ClusterAvailability {
    private ClusterAvailability() {}

    /**
     * Why a control plane cannot bear to lose a member now; null where nothing speaks against it.
     *
     * @param members its Nodes
     * @param replicas how many it should have; null where nobody says
     * @param renewed when each member's lease was renewed
     */
    public static @Nullable String checkControlPlane(
            String node,
            List<NodeSnapshot> members,
            @Nullable Long replicas,
            Map<String, Instant> renewed,
            Instant now) {
        if (replicas == null) {
            return "nobody says how many members the control plane has";
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
                .map(member -> "control-plane member " + member.name() + " is not well")
                .orElse(null);
    }

    /**
     * Which of the other members does not serve the API; null where all do. One whose datastore is dead does not.
     *
     * @param serving where the API is served
     */
    public static @Nullable String checkApiServers(List<NodeSnapshot> others, Set<String> serving) {
        return others.stream()
                .sorted(Comparator.comparing(NodeSnapshot::name))
                .filter(member -> member.internalIp() == null || !serving.contains(member.internalIp()))
                .findFirst()
                .map(member -> "control-plane member " + member.name() + " does not serve the API")
                .orElse(null);
    }

    /** Why a cluster cannot bear to lose a worker now; null where nothing speaks against it. */
    public static @Nullable String checkWorkers(String node, List<NodeSnapshot> nodes, int maxUnavailable) {
        long away = nodes.stream()
                .filter(other -> !other.name().equals(node) && !other.controlPlane())
                .filter(other -> !other.ready() || other.unschedulable())
                .count();
        return away + 1 > maxUnavailable ? away + " other workers are away" : null;
    }
}
