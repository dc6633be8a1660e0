package dev.flotilla.nodeworker.checks;

import dev.flotilla.kube.KubeApiClient;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The two clusters in which a machine's objects are. */
public interface ClusterApiQueries {

    /** Asks the management cluster. */
    @Nullable
    String queryManagementCluster(Function<KubeApiClient, @Nullable String> question);

    /** Asks the machine's own cluster; the answer is why not where it cannot be reached. */
    @Nullable
    String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> question);
}
