package dev.flotilla.managementwatcher.config;

import dev.flotilla.managementwatcher.rows.Mode;
import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a management cluster is reached, and how much is asked of it.
 *
 * @param kubeconfigFile of the management cluster; null for the one that this runs in
 * @param mode where people's wishes are read
 * @param writesPerSecond that are made of objects; others wait
 * @param writesAtOnce that run at a time
 * @param timeout of one request
 */
public record ManagementConfig(
        @Nullable Path kubeconfigFile, Mode mode, int writesPerSecond, int writesAtOnce, Duration timeout) {
    private static final int MOST_PER_SECOND = 1_000;
    private static final int MOST_AT_ONCE = 100;

    public static final ManagementConfig DEFAULT =
            new ManagementConfig(null, Mode.INTERCEPT, 50, 20, Duration.ofSeconds(10));

    static final Codec<ManagementConfig> CODEC = codec();

    private static Codec<ManagementConfig> codec() {
        var it = RecordCodec.<ManagementConfig>of(
                "kubernetes", "How the management cluster is reached, and how much is asked of it.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, that of the pod's service account.",
                ManagementConfig::kubeconfigFile);
        var mode = it.defaulted(
                "mode",
                Choice.of(Mode.class, Mode::label),
                DEFAULT.mode(),
                "Where people's wishes are read: with direct in the provider's key, since no controller of the provider"
                        + " runs here; with intercept in our own; with cluster-only in the provider's on Clusters, and in"
                        + " our own elsewhere.",
                ManagementConfig::mode);
        var rate = it.defaulted(
                "writesPerSecond",
                Scalars.integer(1, MOST_PER_SECOND),
                DEFAULT.writesPerSecond(),
                "Writes to objects a second; more wait.",
                ManagementConfig::writesPerSecond);
        var atOnce = it.defaulted(
                "writesAtOnce",
                Scalars.integer(1, MOST_AT_ONCE),
                DEFAULT.writesAtOnce(),
                "Writes to objects that run at a time; more wait.",
                ManagementConfig::writesAtOnce);
        var timeout = it.defaulted(
                "timeout",
                Scalars.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                DEFAULT.timeout(),
                "How long one request may take; watches are longer.",
                ManagementConfig::timeout);
        return it.build(
                v -> new ManagementConfig(v.get(file), v.get(mode), v.get(rate), v.get(atOnce), v.get(timeout)));
    }
}
