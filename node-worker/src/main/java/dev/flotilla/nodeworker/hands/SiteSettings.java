package dev.flotilla.nodeworker.hands;

import dev.flotilla.nodeworker.management.GuardPolicy;
import dev.flotilla.nodeworker.management.Trigger;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import java.time.Duration;

/**
 * How a site's machines are handled.
 *
 * @param k8sdPort where k8sd listens on a node
 * @param connections to workload clusters that are kept
 * @param requestsPerCluster that run at a time against one API server
 * @param timeout of one request
 */
public record SiteSettings(
        Trigger trigger,
        GuardPolicy guards,
        DrainPolicy drain,
        int k8sdPort,
        int connections,
        int requestsPerCluster,
        Duration timeout) {
    public static final int DEFAULT_K8SD_PORT = 2380;
    public static final int DEFAULT_CONNECTIONS = 256;
    public static final int DEFAULT_REQUESTS_PER_CLUSTER = 16;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    public static final SiteSettings DEFAULT = new SiteSettings(
            Trigger.INTERCEPT,
            GuardPolicy.DEFAULT,
            DrainPolicy.NEVER,
            DEFAULT_K8SD_PORT,
            DEFAULT_CONNECTIONS,
            DEFAULT_REQUESTS_PER_CLUSTER,
            DEFAULT_TIMEOUT);
}
