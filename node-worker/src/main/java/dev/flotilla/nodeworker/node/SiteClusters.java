package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.checks.HealthCheckRunner;
import dev.flotilla.nodeworker.config.SiteKubernetesConfig;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.forward.PodPortForwarder;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinKey;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinStore;
import dev.flotilla.nodeworker.k8sd.trust.NodeTokenReader;
import dev.flotilla.nodeworker.management.GuardAnnotationWriter;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeTemplateReader;
import dev.flotilla.nodeworker.thread.VirtualThreadRunner;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.function.LongSupplier;

/**
 * The clients of a site that its node upgraders share: of its management cluster and the workload clusters behind it.
 * {@link NodeUpgraderFactory} gives each part of a node upgrader those that it needs.
 */
public final class SiteClusters implements AutoCloseable {
    /** The management cluster is used by many workload clusters at once. */
    private static final int MANAGEMENT_FACTOR = 4;

    private static final int MAX_BLOCKED = 10_000;
    private static final long BLOCKED_NANOS = 600_000_000_000L;

    final SiteUpgradeSettings settings;
    final InstantSource clock;
    final LongSupplier ticks;
    final KubeApiClient managementApi;
    /** Whether the management cluster, and so the whole site, is on this machine. */
    final boolean loopbackAllowed;

    final ManagementClusterClient managementCluster;
    final WorkloadClusterPool workloadClusters;
    final GuardAnnotationWriter guardAnnotationWriter;
    final NodeTokenReader tokens;
    final CertificatePinStore pins;
    final NodeUpgradeTemplateReader nodeUpgradeTemplates;
    final HealthCheckRunner healthCheckRunner;
    /** Why machines were recently blocked by other machines of their cluster. */
    final ExpiringCache<MachineKey, String> blockedByPeers;

    private final Vertx vertx;

    /**
     * Opens a site.
     *
     * @param config connection to its management cluster
     * @param clock wall clock
     * @param ticks monotonic clock in nanoseconds
     */
    public SiteClusters(
            Vertx vertx, Config config, SiteUpgradeSettings settings, InstantSource clock, LongSupplier ticks) {
        this(vertx, config, settings, HealthCheckConfig.NONE, clock, ticks);
    }

    /** Opens a site in which health checks may use some servers. */
    public SiteClusters(
            Vertx vertx,
            Config config,
            SiteUpgradeSettings settings,
            HealthCheckConfig checks,
            InstantSource clock,
            LongSupplier ticks) {
        this(vertx, openClient(config, settings), settings, checks, clock, ticks);
    }

    private static KubeApiClient openClient(Config config, SiteUpgradeSettings settings) {
        config.setRequestTimeout((int) settings.timeout().toMillis());
        config.setConnectionTimeout((int) settings.timeout().toMillis());
        return new KubeApiClient(config, settings.requestsPerCluster() * MANAGEMENT_FACTOR);
    }

    private SiteClusters(
            Vertx vertx,
            KubeApiClient managementApi,
            SiteUpgradeSettings settings,
            HealthCheckConfig checks,
            InstantSource clock,
            LongSupplier ticks) {
        this.vertx = vertx;
        this.settings = settings;
        this.clock = clock;
        this.ticks = ticks;
        this.managementApi = managementApi;
        this.loopbackAllowed = ForbiddenAddresses.isLoopback(managementApi.root());
        this.managementCluster = new ManagementClusterClient(managementApi, ticks);
        this.workloadClusters = new WorkloadClusterPool(
                new KubeconfigSecretReader(managementApi, loopbackAllowed),
                settings.maxConnections(),
                settings.requestsPerCluster(),
                settings.timeout(),
                clock,
                ticks);
        this.guardAnnotationWriter = new GuardAnnotationWriter(managementCluster, settings.guards());
        this.tokens = new NodeTokenReader(managementApi, ticks);
        this.pins = new CertificatePinStore(managementApi, ticks);
        this.nodeUpgradeTemplates = new NodeUpgradeTemplateReader(managementApi, ticks);
        this.healthCheckRunner = new HealthCheckRunner(vertx, checks);
        this.blockedByPeers = new ExpiringCache<>(MAX_BLOCKED, BLOCKED_NANOS, ticks);
    }

    /** Opens the site of a configuration, with this machine's clocks. */
    public static SiteClusters open(Vertx vertx, SiteKubernetesConfig config, HealthCheckConfig checks)
            throws IOException {
        SiteUpgradeSettings settings = config.settings();
        KubeApiClient managementApi = KubeApiClient.open(
                config.kubeconfigFile(),
                settings.timeout(),
                settings.requestsPerCluster() * MANAGEMENT_FACTOR,
                System::nanoTime);
        return new SiteClusters(vertx, managementApi, settings, checks, InstantSource.system(), System::nanoTime);
    }

    /** Whether the management cluster has rejected the credentials for so long that they must be renewed. */
    public boolean isLockedOut() {
        return managementApi.isLockedOut();
    }

    /** Returns the port forwarder to the nodes' proxy pods, through the API servers of their workloadClusters. */
    PodPortForwarder portForwarder() {
        return new PodPortForwarder(vertx, workloadClusters);
    }

    /**
     * Removes the certificate pin of a machine, so that the machine may show a new certificate. Members of a control
     * plane share a pin.
     */
    public Future<Void> resetTrust(ClusterKey cluster, MachineKey machine) {
        return VirtualThreadRunner.run(vertx, () -> {
                    KubeResponse read = managementCluster.machine(machine);
                    if (!(read instanceof KubeResponse.SuccessResponse) && !read.isMissing()) {
                        return "the machine cannot be read: " + read.problem();
                    }
                    return pins.resetPin(
                            cluster,
                            read instanceof KubeResponse.SuccessResponse successResponse
                                    ? CertificatePinKey.holderOf(machine.name(), successResponse.object())
                                    : CertificatePinKey.machine(machine.name(), ""));
                })
                .compose(problem -> problem == null ? Future.succeededFuture() : Future.failedFuture(problem));
    }

    /** Returns when the kubeconfigs of clusters in use expire. They are not renewed automatically. */
    public SortedMap<ClusterKey, Instant> kubeconfigExpiries() {
        return workloadClusters.kubeconfigExpiries();
    }

    /** Logs a warning for each kubeconfig that expires soon. */
    public void warnOfKubeconfigExpiry() {
        workloadClusters.warnOfExpiry();
    }

    /** Returns when the first of them expires, in seconds since the epoch; NaN if none expires. */
    public double firstKubeconfigExpirySeconds() {
        return kubeconfigExpiries().values().stream()
                .min(Comparator.naturalOrder())
                .map(end -> (double) end.getEpochSecond())
                .orElse(Double.NaN);
    }

    @Override
    public void close() {
        healthCheckRunner.close();
        workloadClusters.close();
        managementApi.close();
    }
}
