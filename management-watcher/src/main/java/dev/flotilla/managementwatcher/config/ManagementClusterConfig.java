package dev.flotilla.managementwatcher.config;

import dev.flotilla.managementwatcher.mode.SiteModeSetting;
import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a management cluster is reached, and how much is asked of it.
 *
 * @param kubeconfigFile of the management cluster; null for the one that this runs in
 * @param mode who acts on the provider's keys
 * @param writesPerSecond that are made of objects; others wait
 * @param maxConcurrentWrites that run at a time
 * @param timeout of one request
 */
public record ManagementClusterConfig(
        @Nullable Path kubeconfigFile,
        SiteModeSetting mode,
        int writesPerSecond,
        int maxConcurrentWrites,
        Duration timeout) {
    private static final int MOST_PER_SECOND = 1_000;
    private static final int MOST_AT_ONCE = 100;

    public static final ManagementClusterConfig DEFAULT =
            new ManagementClusterConfig(null, SiteModeSetting.AUTO, 50, 20, Duration.ofSeconds(10));

    static final JsonCodec<ManagementClusterConfig> CODEC = codec();

    private static JsonCodec<ManagementClusterConfig> codec() {
        var it = JsonObjectCodec.<ManagementClusterConfig>of(
                "kubernetes", "How the management cluster is reached, and how much is asked of it.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, that of the pod's service account.",
                ManagementClusterConfig::kubeconfigFile);
        var mode = it.defaulted(
                "mode",
                EnumCodec.of(SiteModeSetting.class, SiteModeSetting::label),
                DEFAULT.mode(),
                "Who acts on the provider's annotations here: with direct nobody but us; with intercept its controllers,"
                        + " from which a policy keeps them; with cluster-only its controllers. auto finds out.",
                ManagementClusterConfig::mode);
        var rate = it.defaulted(
                "writesPerSecond",
                ScalarCodecs.integer(1, MOST_PER_SECOND),
                DEFAULT.writesPerSecond(),
                "Writes to objects a second; more wait.",
                ManagementClusterConfig::writesPerSecond);
        var atOnce = it.defaulted(
                "writesAtOnce",
                ScalarCodecs.integer(1, MOST_AT_ONCE),
                DEFAULT.maxConcurrentWrites(),
                "Writes to objects that run at a time; more wait.",
                ManagementClusterConfig::maxConcurrentWrites);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                DEFAULT.timeout(),
                "How long one request may take; watches are longer.",
                ManagementClusterConfig::timeout);
        return it.build(
                v -> new ManagementClusterConfig(v.get(file), v.get(mode), v.get(rate), v.get(atOnce), v.get(timeout)));
    }
}
