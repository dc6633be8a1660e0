package dev.flotilla.nodeupgrader.config;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connection to the management cluster, and how often its NodeUpgrades are looked after.
 *
 * @param kubeconfigFile kubeconfig of the management cluster; null for the cluster in which this process runs
 * @param keptAfterDeadline how long a NodeUpgrade that has ended is kept after its deadline
 * @param flotillaNamespace the namespace of Flotilla's own processes; null for that of this process's pod
 */
public record ManagementClusterConfig(
        @Nullable Path kubeconfigFile,
        Duration timeout,
        Duration pollInterval,
        Duration keptAfterDeadline,
        @Nullable String flotillaNamespace) {
    private static final String DEFAULT_NAMESPACE = "flotilla";

    public static final ManagementClusterConfig DEFAULT =
            new ManagementClusterConfig(null, Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofDays(7), null);
    static final JsonCodec<ManagementClusterConfig> CODEC = codec();

    /**
     * Returns the namespace of Flotilla's own processes.
     *
     * @param podNamespace the file in which a pod finds its namespace; it need not exist
     */
    public String findFlotillaNamespace(Path podNamespace) {
        if (flotillaNamespace != null) {
            return flotillaNamespace;
        }
        try {
            return Files.readString(podNamespace).strip();
        } catch (IOException e) {
            return DEFAULT_NAMESPACE;
        }
    }

    private static JsonCodec<ManagementClusterConfig> codec() {
        var it = JsonObjectCodec.<ManagementClusterConfig>of(
                "kubernetes", "Connection to the management cluster, and how often its NodeUpgrades are looked after.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, the pod's service account is used.",
                ManagementClusterConfig::kubeconfigFile);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                DEFAULT.timeout(),
                "Timeout of one request.",
                ManagementClusterConfig::timeout);
        var pollInterval = it.defaulted(
                "pollInterval",
                ScalarCodecs.duration(Duration.ofMillis(50), Duration.ofMinutes(1)),
                DEFAULT.pollInterval(),
                "Interval at which an open NodeUpgrade and its Job are read.",
                ManagementClusterConfig::pollInterval);
        var keptAfterDeadline = it.defaulted(
                "keptAfterDeadline",
                ScalarCodecs.duration(Duration.ofDays(1), Duration.ofDays(3_650)),
                DEFAULT.keptAfterDeadline(),
                "How long after its deadline a NodeUpgrade that has ended is deleted, with a Job that its abort has left.",
                ManagementClusterConfig::keptAfterDeadline);
        var flotillaNamespace = it.optional(
                "flotillaNamespace",
                ConfigCodecs.NAMESPACE,
                "The namespace of Flotilla's own processes. A node with the only replica of one of them is not upgraded."
                        + " Without it: the namespace of this process's pod, otherwise `flotilla`.",
                ManagementClusterConfig::flotillaNamespace);
        return it.build(v -> new ManagementClusterConfig(
                v.get(file), v.get(timeout), v.get(pollInterval), v.get(keptAfterDeadline), v.get(flotillaNamespace)));
    }
}
