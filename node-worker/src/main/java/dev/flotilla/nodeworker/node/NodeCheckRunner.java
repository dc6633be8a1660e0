package dev.flotilla.nodeworker.node;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.checks.HealthCheckRunner;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.HealthCheck;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs health checks with the names and clusters of one machine. */
final class NodeCheckRunner {
    private final MachineKey machine;
    private final HealthCheckRunner healthCheckRunner;
    private final KubeApiClient managementApi;
    private final WorkloadClusterPool workloadClusters;

    NodeCheckRunner(
            MachineKey machine,
            HealthCheckRunner healthCheckRunner,
            KubeApiClient managementApi,
            WorkloadClusterPool workloadClusters) {
        this.machine = machine;
        this.healthCheckRunner = healthCheckRunner;
        this.managementApi = managementApi;
        this.workloadClusters = workloadClusters;
    }

    /** Runs the checks and returns those that failed. Blocks. */
    List<FailedCheck> runChecks(List<HealthCheck> checks, NodeReference reference) throws InterruptedException {
        return healthCheckRunner.runChecks(checks, name -> placeholderValue(reference, name), queriesFor(reference));
    }

    private String placeholderValue(NodeReference reference, String placeholder) {
        return switch (placeholder) {
            case "site" -> machine.site().name();
            case "namespace" -> machine.namespace();
            case "cluster" -> reference.cluster().name();
            case "machine" -> machine.name();
            default -> reference.node();
        };
    }

    private HealthCheckRunner.ClusterApiQueries queriesFor(NodeReference reference) {
        return new HealthCheckRunner.ClusterApiQueries() {
            @Override
            public @Nullable String queryManagementCluster(Function<KubeApiClient, @Nullable String> query) {
                return query.apply(managementApi);
            }

            @Override
            public @Nullable String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> query) {
                return workloadClusters.<@Nullable String>queryCluster(reference.cluster(), query, reason -> reason);
            }
        };
    }

    /** Returns all checks as failed for one reason. */
    static List<FailedCheck> failAll(List<HealthCheck> checks, String reason) {
        return checks.stream().map(check -> new FailedCheck(check, reason)).toList();
    }
}
