package dev.flotilla.clusterapi.config;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connection to the management cluster.
 *
 * @param kubeconfigFile kubeconfig of the management cluster; null for the cluster in which this process runs
 * @param namespace the namespace with the Secret of the hashes' key
 * @param keptTasks how long an UpgradeTask that has ended is kept
 */
public record ManagementClusterConfig(
        @Nullable Path kubeconfigFile, Duration timeout, String namespace, Duration keptTasks) {
    public static final ManagementClusterConfig DEFAULT =
            new ManagementClusterConfig(null, Duration.ofSeconds(5), "flotilla", Duration.ofDays(7));

    static final JsonCodec<ManagementClusterConfig> CODEC = codec();

    private static JsonCodec<ManagementClusterConfig> codec() {
        var it = JsonObjectCodec.<ManagementClusterConfig>of("kubernetes", "Connection to the management cluster.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, the pod's service account is used.",
                ManagementClusterConfig::kubeconfigFile);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofSeconds(8)),
                DEFAULT.timeout(),
                "Timeout of one request. Cluster API waits 10 s for an answer.",
                ManagementClusterConfig::timeout);
        var namespace = it.defaulted(
                "namespace",
                ConfigCodecs.NAMESPACE,
                DEFAULT.namespace(),
                "The namespace of this process, with the Secret of the hashes' key.",
                ManagementClusterConfig::namespace);
        var keptTasks = it.defaulted(
                "keptTasks",
                ScalarCodecs.duration(Duration.ofMinutes(10), Duration.ofDays(365)),
                DEFAULT.keptTasks(),
                "How long an UpgradeTask that has ended is kept.",
                ManagementClusterConfig::keptTasks);
        return it.build(
                v -> new ManagementClusterConfig(v.get(file), v.get(timeout), v.get(namespace), v.get(keptTasks)));
    }
}
