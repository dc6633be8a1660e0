package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.checks.HealthCheckRunner;
import dev.flotilla.nodeworker.forward.PodPortForwarder;
import dev.flotilla.nodeworker.management.GuardAnnotationWriter;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.management.NodeTokenReader;
import dev.flotilla.nodeworker.pins.CertificatePinKey;
import dev.flotilla.nodeworker.pins.CertificatePinStore;
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

/** A site's management cluster and the workload clusters behind it. It creates the node client of each attempt. */
public final class SiteClusters implements AutoCloseable {
    /** The management cluster is used by many workload clusters at once. */
    private static final int MANAGEMENT_FACTOR = 4;

    private static final int MAX_BLOCKED = 10_000;
    private static final long BLOCKED_NANOS = 600_000_000_000L;

    final SiteUpgradeSettings settings;
    final InstantSource clock;
    final LongSupplier ticks;
    final ManagementClusterClient machines;
    final GuardAnnotationWriter guards;
    final NodeTokenReader tokens;
    final CertificatePinStore pins;
    final WorkloadClusterPool clusters;
    /** Why machines were recently blocked by other machines of their cluster. */
    final ExpiringCache<MachineKey, String> waiting;

    private final Vertx vertx;
    final KubeApiClient management;
    /** Whether the management cluster, and so the whole site, is on this machine. */
    final boolean testBed;

    final HealthCheckRunner prober;

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
            KubeApiClient management,
            SiteUpgradeSettings settings,
            HealthCheckConfig checks,
            InstantSource clock,
            LongSupplier ticks) {
        this.prober = new HealthCheckRunner(vertx, checks);
        this.vertx = vertx;
        this.settings = settings;
        this.clock = clock;
        this.ticks = ticks;
        this.management = management;
        this.testBed = ForbiddenAddresses.isLoopback(management.root());
        this.machines = new ManagementClusterClient(management, ticks);
        this.guards = new GuardAnnotationWriter(machines, settings.guards());
        this.tokens = new NodeTokenReader(management, ticks);
        this.pins = new CertificatePinStore(management, ticks);
        this.waiting = new ExpiringCache<>(MAX_BLOCKED, BLOCKED_NANOS, ticks);
        this.clusters = new WorkloadClusterPool(
                new KubeconfigSecretReader(management, testBed),
                settings.maxConnections(),
                settings.requestsPerCluster(),
                settings.timeout(),
                clock,
                ticks);
    }

    /** Opens the site of a configuration, with this machine's clocks. */
    public static SiteClusters open(Vertx vertx, SiteKubernetesConfig config, HealthCheckConfig checks)
            throws IOException {
        SiteUpgradeSettings settings = config.settings();
        KubeApiClient management = KubeApiClient.open(
                config.kubeconfigFile(),
                settings.timeout(),
                settings.requestsPerCluster() * MANAGEMENT_FACTOR,
                System::nanoTime);
        return new SiteClusters(vertx, management, settings, checks, InstantSource.system(), System::nanoTime);
    }

    /** Whether the management cluster has rejected the credentials for so long that they must be renewed. */
    public boolean isLockedOut() {
        return management.isLockedOut();
    }

    /** Creates the node client of an attempt, for use from one context only. */
    public NodeClient createNodeClient(UpgradeAttemptParameters upgradeAttemptParameters) {
        return new KubeNodeClient(this, new SerialTaskExecutor(vertx), upgradeAttemptParameters);
    }

    /** Returns the port forwarder to the nodes' proxy pods, through the API servers of their clusters. */
    public PodPortForwarder portForwarder() {
        return new PodPortForwarder(vertx, clusters);
    }

    /** Returns how the site's machines are handled. */
    public SiteUpgradeSettings settings() {
        return settings;
    }

    /**
     * Removes the certificate pin of a machine, so that the machine may show a new certificate. Members of a control
     * plane share a pin.
     */
    public Future<Void> resetTrust(ClusterKey cluster, MachineKey machine) {
        return VirtualThreadRunner.run(vertx, () -> {
                    KubeResponse read = machines.machine(machine);
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
        return clusters.kubeconfigExpiries();
    }

    /** Logs a warning for each kubeconfig that expires soon. */
    public void warnOfKubeconfigExpiry() {
        clusters.warnOfExpiry();
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
        prober.close();
        clusters.close();
        management.close();
    }
}
