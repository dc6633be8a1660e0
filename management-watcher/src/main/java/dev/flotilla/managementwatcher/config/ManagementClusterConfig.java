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
 * Connection to a management cluster, and the limits of its use.
 *
 * @param kubeconfigFile kubeconfig of the management cluster; null for the cluster in which this process runs
 * @param mode who acts on the provider's annotations
 * @param writesPerSecond most writes to objects a second; more wait
 * @param maxConcurrentWrites most writes to objects at a time; more wait
 * @param timeout timeout of one request
 * @param interceptWebhook whether the webhooks of {@code intercept-webhook.yaml} are answered
 */
public record ManagementClusterConfig(
        @Nullable Path kubeconfigFile,
        SiteModeSetting mode,
        int writesPerSecond,
        int maxConcurrentWrites,
        Duration timeout,
        boolean interceptWebhook) {
    private static final int MAX_WRITES_PER_SECOND = 1_000;
    private static final int MAX_CONCURRENT_WRITES = 100;

    public static final ManagementClusterConfig DEFAULT =
            new ManagementClusterConfig(null, SiteModeSetting.AUTO, 50, 20, Duration.ofSeconds(10), false);

    static final JsonCodec<ManagementClusterConfig> CODEC = codec();

    private static JsonCodec<ManagementClusterConfig> codec() {
        var it = JsonObjectCodec.<ManagementClusterConfig>of(
                "kubernetes", "Connection to the management cluster, and the limits of its use.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, the pod's service account is used.",
                ManagementClusterConfig::kubeconfigFile);
        var mode = it.defaulted(
                "mode",
                EnumCodec.of(SiteModeSetting.class, SiteModeSetting::label),
                DEFAULT.mode(),
                "Who acts on the provider's annotations in this site. direct: only Flotilla. intercept: the"
                        + " provider's controllers run, and an admission policy hides the annotations from them."
                        + " cluster-only: the provider's controllers. auto: the watcher finds out.",
                ManagementClusterConfig::mode);
        var rate = it.defaulted(
                "writesPerSecond",
                ScalarCodecs.integer(1, MAX_WRITES_PER_SECOND),
                DEFAULT.writesPerSecond(),
                "Most writes to objects a second; more wait.",
                ManagementClusterConfig::writesPerSecond);
        var maxConcurrentWrites = it.defaulted(
                "writesAtOnce",
                ScalarCodecs.integer(1, MAX_CONCURRENT_WRITES),
                DEFAULT.maxConcurrentWrites(),
                "Most writes to objects at a time; more wait.",
                ManagementClusterConfig::maxConcurrentWrites);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                DEFAULT.timeout(),
                "Timeout of one request; watches last longer.",
                ManagementClusterConfig::timeout);
        var interceptWebhook = it.defaulted(
                "interceptWebhook",
                ScalarCodecs.FLAG,
                DEFAULT.interceptWebhook(),
                "Whether the server answers the webhooks that hide the annotations from the provider's controllers, for API"
                        + " servers without mutating admission policies (deploy/management-watcher/intercept-webhook.yaml)."
                        + " Needs server.tls.",
                ManagementClusterConfig::interceptWebhook);
        return it.build(v -> new ManagementClusterConfig(
                v.get(file),
                v.get(mode),
                v.get(rate),
                v.get(maxConcurrentWrites),
                v.get(timeout),
                v.get(interceptWebhook)));
    }
}
