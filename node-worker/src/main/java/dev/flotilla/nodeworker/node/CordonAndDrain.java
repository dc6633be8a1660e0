package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.workload.MachineDrainRule;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.NodeDrainer;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.DrainMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Takes the pods off one node, as the site wants it. */
final class CordonAndDrain {
    private static final String EXCLUDED = "machine.cluster.x-k8s.io/exclude-node-draining";

    /** More is no bound: the site's is shorter. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final SiteClusters siteClusters;
    private final KubeApiClient api;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private final String node;
    private @Nullable String problem;

    CordonAndDrain(
            SiteClusters siteClusters,
            KubeApiClient api,
            UpgradeAttemptParameters upgradeAttemptParameters,
            String node) {
        this.siteClusters = siteClusters;
        this.api = api;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
        this.node = node;
    }

    /** Whether the node is to be emptied. Where that cannot be told there is a problem. */
    boolean isRequired(KubeObject machine) {
        if (machine.annotation(EXCLUDED) != null) {
            return false;
        }
        DrainMode asked = upgradeAttemptParameters.drain();
        return switch (asked == null ? siteClusters.settings.drain().mode() : asked) {
            case NEVER -> false;
            case ALWAYS -> true;
            case AUTO ->
                switch (new WorkloadClusterClient(api).listNodes()) {
                    case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed -> {
                        problem = nodeListFailed.reason();
                        yield false;
                    }
                    case WorkloadClusterClient.NodeListResult.NodesListed nodesListed ->
                        nodesListed.nodes().stream()
                                .anyMatch(
                                        other -> !other.name().equals(node) && other.ready() && !other.unschedulable());
                };
        };
    }

    @Nullable
    String problem() {
        return problem;
    }

    NodeCordoner.CordonResult cordon() {
        return new NodeCordoner(new WorkloadClusterClient(api))
                .cordonNode(
                        node,
                        upgradeAttemptParameters.attemptId(),
                        upgradeAttemptParameters.owner(),
                        siteClusters.clock.instant());
    }

    /** Empties it. Null once it is empty; else what is in the way. */
    @Nullable
    String drainNode(KubeObject machine, ClusterKey cluster, long until, CountDownLatch halt, Runnable drains)
            throws InterruptedException {
        KubeResponse rules = siteClusters.machines.drainRules(cluster.namespace());
        KubeResponse owner = siteClusters.machines.cluster(cluster);
        if (!(owner instanceof KubeResponse.SuccessResponse itsCluster)) {
            return "the cluster cannot be read: " + owner.problem();
        }
        // A management cluster may be older than the rules.
        List<KubeObject> all = rules instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().list("items")
                : List.of();
        if (!(rules instanceof KubeResponse.SuccessResponse) && !rules.isMissing()) {
            return "the rules for draining cannot be read: " + rules.problem();
        }
        return new NodeDrainer(api, siteClusters.settings.drain(), siteClusters.ticks)
                .drainNode(
                        node,
                        MachineDrainRule.forMachine(all, machine, itsCluster.object()),
                        Math.min(until, ownEnd(machine)),
                        halt,
                        drains);
    }

    /** A Machine may say how long its node may be drained; zero, or nothing, is no bound. */
    private long ownEnd(KubeObject machine) {
        Long seconds = machine.number("spec", "deletion", "nodeDrainTimeoutSeconds");
        Duration said = seconds == null
                ? GoDurationParser.read(machine.text("spec", "nodeDrainTimeout"))
                : Duration.ofSeconds(seconds);
        return said == null || !said.isPositive() || said.compareTo(LONGEST) > 0
                ? Long.MAX_VALUE
                : siteClusters.ticks.getAsLong() + said.toNanos();
    }
}
