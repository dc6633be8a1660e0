package dev.flotilla.managementwatcher.config;

import dev.flotilla.managementwatcher.mode.ModeSetting;
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
 * @param writesAtOnce that run at a time
 * @param timeout of one request
 */
public record ManagementConfig(
        @Nullable Path kubeconfigFile, ModeSetting mode, int writesPerSecond, int writesAtOnce, Duration timeout) {
    private static final int MOST_PER_SECOND = 1_000;
    private static final int MOST_AT_ONCE = 100;

    public static final ManagementConfig DEFAULT =
            new ManagementConfig(null, ModeSetting.AUTO, 50, 20, Duration.ofSeconds(10));

    static final JsonCodec<ManagementConfig> CODEC = codec();

    private static JsonCodec<ManagementConfig> codec() {
        var it = JsonObjectCodec.<ManagementConfig>of(
                "kubernetes", "How the management cluster is reached, and how much is asked of it.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, that of the pod's service account.",
                ManagementConfig::kubeconfigFile);
        var mode = it.defaulted(
                "mode",
                EnumCodec.of(ModeSetting.class, ModeSetting::label),
                DEFAULT.mode(),
                "Who acts on the provider's annotations here: with direct nobody but us; with intercept its controllers,"
                        + " from which a policy keeps them; with cluster-only its controllers. auto finds out.",
                ManagementConfig::mode);
        var rate = it.defaulted(
                "writesPerSecond",
                ScalarCodecs.integer(1, MOST_PER_SECOND),
                DEFAULT.writesPerSecond(),
                "Writes to objects a second; more wait.",
                ManagementConfig::writesPerSecond);
        var atOnce = it.defaulted(
                "writesAtOnce",
                ScalarCodecs.integer(1, MOST_AT_ONCE),
                DEFAULT.writesAtOnce(),
                "Writes to objects that run at a time; more wait.",
                ManagementConfig::writesAtOnce);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                DEFAULT.timeout(),
                "How long one request may take; watches are longer.",
                ManagementConfig::timeout);
        return it.build(
                v -> new ManagementConfig(v.get(file), v.get(mode), v.get(rate), v.get(atOnce), v.get(timeout)));
    }
}
