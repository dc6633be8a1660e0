package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.nodeworker.workload.MachineDrainRule;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.NodeDrainer;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.schemas.row.DrainMode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Cordons and drains the node of one attempt, if the command or the site's settings require it. */
final class CordonAndDrain {
    private static final String EXCLUDED = "machine.cluster.x-k8s.io/exclude-node-draining";

    /** A longer timeout on the Machine is no bound, because the site's is shorter. */
    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    private final UpgradeAttemptParameters parameters;
    private final ManagementClusterClient managementCluster;
    private final DrainPolicy drainPolicy;
    private final InstantSource clock;
    private final LongSupplier ticks;

    CordonAndDrain(
            UpgradeAttemptParameters parameters,
            ManagementClusterClient managementCluster,
            DrainPolicy drainPolicy,
            InstantSource clock,
            LongSupplier ticks) {
        this.parameters = parameters;
        this.managementCluster = managementCluster;
        this.drainPolicy = drainPolicy;
        this.clock = clock;
        this.ticks = ticks;
    }

    /**
     * Whether a node must be drained.
     *
     * @param problem why that cannot be determined; else null
     */
    record DrainDecision(boolean required, @Nullable String problem) {}

    /** Decides whether the node must be drained. */
    DrainDecision decide(KubeApiClient api, NodeReference reference) {
        if (reference.machine().annotation(EXCLUDED) != null) {
            return new DrainDecision(false, null);
        }
        DrainMode commanded = parameters.drain();
        return switch (commanded == null ? drainPolicy.mode() : commanded) {
            case NEVER -> new DrainDecision(false, null);
            case ALWAYS -> new DrainDecision(true, null);
            case AUTO ->
                switch (new WorkloadClusterClient(api).listNodes()) {
                    case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed ->
                        new DrainDecision(false, nodeListFailed.reason());
                    case WorkloadClusterClient.NodeListResult.NodesListed nodesListed ->
                        new DrainDecision(
                                nodesListed.nodes().stream()
                                        .anyMatch(other -> !other.name().equals(reference.node())
                                                && other.ready()
                                                && !other.unschedulable()),
                                null);
                };
        };
    }

    NodeCordoner.CordonResult cordonNode(KubeApiClient api, String node) {
        return new NodeCordoner(new WorkloadClusterClient(api))
                .cordonNode(node, parameters.attemptId(), parameters.owner(), clock.instant());
    }

    /** Converts a wall time to the monotonic clock. */
    long deadline(Instant until) {
        return ticks.getAsLong() + clock.instant().until(until, ChronoUnit.NANOS);
    }

    /** Drains the node. Returns null once it is drained, or what prevents it. */
    @Nullable
    String drainNode(
            KubeApiClient api, NodeReference reference, long deadline, CountDownLatch halt, Runnable onDrainStarted)
            throws InterruptedException {
        KubeResponse rules = managementCluster.drainRules(reference.cluster().namespace());
        KubeResponse cluster = managementCluster.cluster(reference.cluster());
        if (!(cluster instanceof KubeResponse.SuccessResponse clusterResponse)) {
            return "the cluster cannot be read: " + cluster.problem();
        }
        // An older management cluster does not have these rules.
        List<KubeObject> all = rules instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().list("items")
                : List.of();
        if (!(rules instanceof KubeResponse.SuccessResponse) && !rules.isMissing()) {
            return "the rules for draining cannot be read: " + rules.problem();
        }
        return new NodeDrainer(api, drainPolicy, ticks)
                .drainNode(
                        reference.node(),
                        MachineDrainRule.forMachine(all, reference.machine(), clusterResponse.object()),
                        Math.min(deadline, drainDeadline(reference.machine())),
                        halt,
                        onDrainStarted);
    }

    /** Returns when the Machine's own drain timeout ends; zero, or none, is no bound. */
    private long drainDeadline(KubeObject machine) {
        Long seconds = machine.number("spec", "deletion", "nodeDrainTimeoutSeconds");
        Duration timeout = seconds == null
                ? GoDurationParser.read(machine.text("spec", "nodeDrainTimeout"))
                : Duration.ofSeconds(seconds);
        return timeout == null || !timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0
                ? Long.MAX_VALUE
                : ticks.getAsLong() + timeout.toNanos();
    }
}
