package dev.flotilla.campaigncontroller.config;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connection to the hub cluster.
 *
 * @param kubeconfigFile kubeconfig of the hub cluster; null for the cluster in which this process runs
 * @param namespace the namespace of the objects
 * @param mirrorsKafka whether campaigns and policies that were written past the hub cluster get objects
 */
public record HubClusterConfig(
        @Nullable Path kubeconfigFile, String namespace, boolean mirrorsKafka, Duration timeout, Duration interval) {
    public static final HubClusterConfig DEFAULT =
            new HubClusterConfig(null, "flotilla", true, Duration.ofSeconds(10), Duration.ofSeconds(1));

    static final JsonCodec<HubClusterConfig> CODEC = codec();

    private static JsonCodec<HubClusterConfig> codec() {
        var it = JsonObjectCodec.<HubClusterConfig>of("kubernetes", "Connection to the hub cluster.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the hub cluster; without it, the pod's service account is used.",
                HubClusterConfig::kubeconfigFile);
        var namespace = it.defaulted(
                "namespace",
                ConfigCodecs.NAMESPACE,
                DEFAULT.namespace(),
                "The namespace of the Campaigns, Policies and Orders of this fleet.",
                HubClusterConfig::namespace);
        var mirror = it.defaulted(
                "mirror",
                ScalarCodecs.FLAG,
                DEFAULT.mirrorsKafka(),
                "Whether campaigns and policies that were written with `flotilla` get objects too.",
                HubClusterConfig::mirrorsKafka);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                DEFAULT.timeout(),
                "Timeout of one request.",
                HubClusterConfig::timeout);
        var interval = it.defaulted(
                "interval",
                ScalarCodecs.duration(Duration.ofMillis(50), Duration.ofMinutes(1)),
                DEFAULT.interval(),
                "Interval at which objects and rows are compared.",
                HubClusterConfig::interval);
        return it.build(v ->
                new HubClusterConfig(v.get(file), v.get(namespace), v.get(mirror), v.get(timeout), v.get(interval)));
    }
}
