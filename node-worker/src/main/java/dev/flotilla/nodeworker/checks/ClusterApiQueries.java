package dev.flotilla.nodeworker.checks;

import dev.flotilla.kube.KubeApiClient;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The two clusters with a machine's objects. */
public interface ClusterApiQueries {

    /** Runs a query on the management cluster. */
    @Nullable
    String queryManagementCluster(Function<KubeApiClient, @Nullable String> question);

    /** Runs a query on the workload cluster; returns why if it cannot be reached. */
    @Nullable
    String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> question);
}
