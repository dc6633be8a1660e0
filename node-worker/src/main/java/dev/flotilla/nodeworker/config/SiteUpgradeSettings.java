package dev.flotilla.nodeworker.config;

import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.management.GuardAnnotationPolicy;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.schemas.row.SiteMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a site's machines are handled.
 *
 * @param siteMode who acts on the provider's annotations; null for the mode in each command, which the site's watcher
 *     found
 * @param transport transport to k8sd
 * @param k8sdPort port of k8sd on each node; null for the one in each machine's CK8sConfig
 * @param maxTunnels most tunnels to nodes that are open at a time
 * @param maxConnections most connections to workload clusters that are kept open
 * @param requestsPerCluster most requests at a time to one API server
 * @param timeout timeout of one request
 */
public record SiteUpgradeSettings(
        @Nullable SiteMode siteMode,
        GuardAnnotationPolicy guards,
        DrainPolicy drain,
        K8sdTransportSetting transport,
        @Nullable Integer k8sdPort,
        int maxTunnels,
        int maxConnections,
        int requestsPerCluster,
        Duration timeout) {
    public static final int DEFAULT_K8SD_PORT = 2380;
    public static final int DEFAULT_TUNNELS = 128;
    public static final int DEFAULT_CONNECTIONS = 256;
    public static final int DEFAULT_REQUESTS_PER_CLUSTER = 16;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    public static final SiteUpgradeSettings DEFAULT = new SiteUpgradeSettings(
            null,
            GuardAnnotationPolicy.DEFAULT,
            DrainPolicy.NEVER,
            K8sdTransportSetting.AUTO,
            null,
            DEFAULT_TUNNELS,
            DEFAULT_CONNECTIONS,
            DEFAULT_REQUESTS_PER_CLUSTER,
            DEFAULT_TIMEOUT);

    /** Returns the same settings with another transport. */
    public SiteUpgradeSettings withTransport(K8sdTransportSetting other) {
        return new SiteUpgradeSettings(
                siteMode, guards, drain, other, k8sdPort, maxTunnels, maxConnections, requestsPerCluster, timeout);
    }
}
