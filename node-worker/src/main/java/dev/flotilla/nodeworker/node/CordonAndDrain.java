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

/** Cordons and drains one node, if the command or the site's settings ask for it. */
final class CordonAndDrain {
    private static final String EXCLUDED = "machine.cluster.x-k8s.io/exclude-node-draining";

    /** A longer timeout on the Machine is no bound, because the site's is shorter. */
    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

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

    /** Whether the node must be drained. If that cannot be determined, there is a problem. */
    boolean isRequired(KubeObject machine) {
        if (machine.annotation(EXCLUDED) != null) {
            return false;
        }
        DrainMode commanded = upgradeAttemptParameters.drain();
        return switch (commanded == null ? siteClusters.settings.drain().mode() : commanded) {
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

    /** Drains the node. Returns null once it is drained, or what prevents it. */
    @Nullable
    String drainNode(KubeObject machine, ClusterKey cluster, long until, CountDownLatch halt, Runnable drains)
            throws InterruptedException {
        KubeResponse rules = siteClusters.machines.drainRules(cluster.namespace());
        KubeResponse owner = siteClusters.machines.cluster(cluster);
        if (!(owner instanceof KubeResponse.SuccessResponse clusterResponse)) {
            return "the cluster cannot be read: " + owner.problem();
        }
        // An older management cluster does not have these rules.
        List<KubeObject> all = rules instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().list("items")
                : List.of();
        if (!(rules instanceof KubeResponse.SuccessResponse) && !rules.isMissing()) {
            return "the rules for draining cannot be read: " + rules.problem();
        }
        return new NodeDrainer(api, siteClusters.settings.drain(), siteClusters.ticks)
                .drainNode(
                        node,
                        MachineDrainRule.forMachine(all, machine, clusterResponse.object()),
                        Math.min(until, drainDeadline(machine)),
                        halt,
                        drains);
    }

    /** Returns when the Machine's own drain timeout ends; zero, or none, is no bound. */
    private long drainDeadline(KubeObject machine) {
        Long seconds = machine.number("spec", "deletion", "nodeDrainTimeoutSeconds");
        Duration timeout = seconds == null
                ? GoDurationParser.read(machine.text("spec", "nodeDrainTimeout"))
                : Duration.ofSeconds(seconds);
        return timeout == null || !timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0
                ? Long.MAX_VALUE
                : siteClusters.ticks.getAsLong() + timeout.toNanos();
    }
}
