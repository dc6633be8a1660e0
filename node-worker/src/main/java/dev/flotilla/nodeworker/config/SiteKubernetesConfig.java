package dev.flotilla.nodeworker.config;

import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.SiteMode;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connection to a site's Kubernetes, and how its machines are handled.
 *
 * @param kubeconfigFile kubeconfig of the management cluster; null for the cluster in which this process runs
 */
public record SiteKubernetesConfig(@Nullable Path kubeconfigFile, SiteUpgradeSettings settings) {
    private static final int MAX_TUNNELS = 10_000;
    private static final int MAX_CONNECTIONS = 10_000;
    private static final int MAX_REQUESTS = 1_000;
    private static final int MAX_PORT = 65_535;

    public static final JsonCodec<SiteKubernetesConfig> CODEC = codec();

    private static JsonCodec<SiteKubernetesConfig> codec() {
        SiteUpgradeSettings defaults = SiteUpgradeSettings.DEFAULT;
        var it = JsonObjectCodec.<SiteKubernetesConfig>of(
                "kubernetes", "Connection to the site's Kubernetes, and how its machines are handled.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, the pod's service account is used.",
                SiteKubernetesConfig::kubeconfigFile);
        var trigger = it.optional(
                "trigger",
                EnumCodec.of(SiteMode.class, SiteMode::label),
                "What the provider's upgrade annotation means on a Machine: with direct it is a request to Flotilla,"
                        + " else the machine is foreign. Without it, the mode that the site's watcher found"
                        + " (kubernetes.mode there).",
                config -> config.settings().siteMode());
        var guards = it.defaulted(
                "guards",
                GuardAndDrainCodecs.GUARDS,
                defaults.guards(),
                "Annotations that keep controllers away from a machine during its upgrade.",
                config -> config.settings().guards());
        var drain = it.defaulted(
                "drain",
                GuardAndDrainCodecs.DRAIN,
                defaults.drain(),
                "How nodes are drained.",
                config -> config.settings().drain());
        var transport = it.defaulted(
                "transport",
                EnumCodec.of(K8sdTransportSetting.class, K8sdTransportSetting::label),
                defaults.transport(),
                "Transport to k8sd: a port-forward to its proxy pod (proxy), the node's address (direct), or that"
                        + " address if it responds (auto). A certificate is always read first through the proxy.",
                config -> config.settings().transport());
        var port = it.optional(
                "k8sdPort",
                ScalarCodecs.integer(1, MAX_PORT),
                "Port of k8sd on each node; without it, spec.controlPlane.microclusterPort of each machine's"
                        + " CK8sConfig, or 2380. For requests to the node's address.",
                config -> config.settings().k8sdPort());
        var tunnels = it.defaulted(
                "tunnels",
                ScalarCodecs.integer(1, MAX_TUNNELS),
                defaults.maxTunnels(),
                "Most port-forwards that are open at a time. Above that the least recently used is closed, and opened"
                        + " again when it is needed; if all are in use, a node counts as not reachable.",
                config -> config.settings().maxTunnels());
        var connections = it.defaulted(
                "connections",
                ScalarCodecs.integer(1, MAX_CONNECTIONS),
                defaults.maxConnections(),
                "Most connections to workload clusters that are kept open.",
                config -> config.settings().maxConnections());
        var requests = it.defaulted(
                "requestsPerCluster",
                ScalarCodecs.integer(1, MAX_REQUESTS),
                defaults.requestsPerCluster(),
                "Most requests at a time to one workload cluster, and four times as many to the management cluster."
                        + " More wait.",
                config -> config.settings().requestsPerCluster());
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                defaults.timeout(),
                "Timeout of one request.",
                config -> config.settings().timeout());
        return it.build(v -> new SiteKubernetesConfig(
                v.get(file),
                new SiteUpgradeSettings(
                        v.get(trigger),
                        v.get(guards),
                        v.get(drain),
                        v.get(transport),
                        v.get(port),
                        v.get(tunnels),
                        v.get(connections),
                        v.get(requests),
                        v.get(timeout))));
    }
}
