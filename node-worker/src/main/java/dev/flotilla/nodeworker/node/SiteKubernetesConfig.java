package dev.flotilla.nodeworker.node;

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
 * How a site's Kubernetes is reached, and how its machines are handled.
 *
 * @param kubeconfigFile of the management cluster; null for the one that this runs in
 */
public record SiteKubernetesConfig(@Nullable Path kubeconfigFile, SiteUpgradeSettings settings) {
    private static final int MOST_TUNNELS = 10_000;
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int MOST_REQUESTS = 1_000;
    private static final int MOST_PORT = 65_535;

    public static final JsonCodec<SiteKubernetesConfig> CODEC = codec();

    private static JsonCodec<SiteKubernetesConfig> codec() {
        SiteUpgradeSettings usual = SiteUpgradeSettings.DEFAULT;
        var it = JsonObjectCodec.<SiteKubernetesConfig>of(
                "kubernetes", "How the site's Kubernetes is reached, and how its machines are handled.");
        var file = it.optional(
                "kubeconfigFile",
                ConfigCodecs.FILE,
                "A kubeconfig of the management cluster; without it, that of the pod's service account.",
                SiteKubernetesConfig::kubeconfigFile);
        var trigger = it.optional(
                "trigger",
                EnumCodec.of(SiteMode.class, SiteMode::label),
                "What the provider's key for an upgrade means on a Machine: with direct it is how people ask us, else"
                        + " one that is there is foreign. Without it, what the site's watcher found (kubernetes.mode"
                        + " there).",
                config -> config.settings().siteMode());
        var guards = it.defaulted(
                "guards",
                GuardAndDrainCodecs.GUARDS,
                usual.guards(),
                "What keeps controllers off.",
                config -> config.settings().guards());
        var drain = it.defaulted(
                "drain",
                GuardAndDrainCodecs.DRAIN,
                usual.drain(),
                "How nodes are emptied.",
                config -> config.settings().drain());
        var transport = it.defaulted(
                "transport",
                EnumCodec.of(K8sdTransportSetting.class, K8sdTransportSetting::label),
                usual.transport(),
                "How k8sd is reached: by a port-forward to its proxy pod, directly at the node's address, or directly"
                        + " where that answers (auto). Certificates are seen first through the proxy, whichever it is.",
                config -> config.settings().transport());
        var port = it.optional(
                "k8sdPort",
                ScalarCodecs.integer(1, MOST_PORT),
                "Where k8sd listens on each node; without it, what spec.controlPlane.microclusterPort of each machine's"
                        + " CK8sConfig says, or 2380. For requests to the node's address.",
                config -> config.settings().k8sdPort());
        var tunnels = it.defaulted(
                "tunnels",
                ScalarCodecs.integer(1, MOST_TUNNELS),
                usual.maxTunnels(),
                "Port-forwards that are open at a time. Beyond, the one that was asked least lately is closed and"
                    + " opened again when its node is asked; where all are being asked, a node counts as not reached.",
                config -> config.settings().maxTunnels());
        var connections = it.defaulted(
                "connections",
                ScalarCodecs.integer(1, MOST_CONNECTIONS),
                usual.maxConnections(),
                "Connections to workload clusters that are kept.",
                config -> config.settings().maxConnections());
        var requests = it.defaulted(
                "requestsPerCluster",
                ScalarCodecs.integer(1, MOST_REQUESTS),
                usual.requestsPerCluster(),
                "Requests that run at a time against one workload cluster; four times as many against the management"
                        + " cluster. More wait.",
                config -> config.settings().requestsPerCluster());
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(2)),
                usual.timeout(),
                "How long one request may take.",
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
