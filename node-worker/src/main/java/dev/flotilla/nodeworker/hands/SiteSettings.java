package dev.flotilla.nodeworker.hands;

import dev.flotilla.nodeworker.management.GuardPolicy;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.schemas.row.SiteMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a site's machines are handled.
 *
 * @param trigger who acts on the provider's keys; null for as each command says, which is what the site's watcher found
 * @param transport how k8sd is reached
 * @param k8sdPort where k8sd listens on each node; null for what each machine's CK8sConfig says
 * @param tunnels to nodes that are open at a time
 * @param connections to workload clusters that are kept
 * @param requestsPerCluster that run at a time against one API server
 * @param timeout of one request
 */
public record SiteSettings(
        @Nullable SiteMode trigger,
        GuardPolicy guards,
        DrainPolicy drain,
        Transport transport,
        @Nullable Integer k8sdPort,
        int tunnels,
        int connections,
        int requestsPerCluster,
        Duration timeout) {
    public static final int DEFAULT_K8SD_PORT = 2380;
    public static final int DEFAULT_TUNNELS = 128;
    public static final int DEFAULT_CONNECTIONS = 256;
    public static final int DEFAULT_REQUESTS_PER_CLUSTER = 16;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    public static final SiteSettings DEFAULT = new SiteSettings(
            null,
            GuardPolicy.DEFAULT,
            DrainPolicy.NEVER,
            Transport.AUTO,
            null,
            DEFAULT_TUNNELS,
            DEFAULT_CONNECTIONS,
            DEFAULT_REQUESTS_PER_CLUSTER,
            DEFAULT_TIMEOUT);

    /** The same with another transport. */
    public SiteSettings by(Transport other) {
        return new SiteSettings(
                trigger, guards, drain, other, k8sdPort, tunnels, connections, requestsPerCluster, timeout);
    }
}
