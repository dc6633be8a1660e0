package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.VirtualThreadRunner;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.checks.HealthCheckRunner;
import dev.flotilla.nodeworker.forward.PodPortForwarder;
import dev.flotilla.nodeworker.management.GuardAnnotationWriter;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.management.NodeTokenReader;
import dev.flotilla.nodeworker.pins.CertificatePinKey;
import dev.flotilla.nodeworker.pins.CertificatePinStore;
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

/** A site's management cluster and the clusters behind it, and hands for each attempt on one of their machines. */
public final class SiteClusters implements AutoCloseable {
    /** The management cluster serves many clusters at once. */
    private static final int MANAGEMENT_FACTOR = 4;

    private static final int MOST_WAITING = 10_000;
    private static final long WAITING_NANOS = 600_000_000_000L;

    final SiteUpgradeSettings settings;
    final InstantSource clock;
    final LongSupplier ticks;
    final ManagementClusterClient machines;
    final GuardAnnotationWriter guards;
    final NodeTokenReader tokens;
    final CertificatePinStore pins;
    final WorkloadClusterPool clusters;
    /** Why machines could not be taken shortly before, by what their peers showed. */
    final ExpiringCache<MachineKey, String> waiting;

    private final Vertx vertx;
    final KubeApiClient management;
    /** Whether the management cluster, and so all of the site, is on this machine. */
    final boolean testBed;

    final HealthCheckRunner prober;

    /**
     * A site.
     *
     * @param config how its management cluster is reached
     * @param clock that people set
     * @param ticks nanoseconds of a clock that nobody sets
     */
    public SiteClusters(
            Vertx vertx, Config config, SiteUpgradeSettings settings, InstantSource clock, LongSupplier ticks) {
        this(vertx, config, settings, HealthCheckConfig.NONE, clock, ticks);
    }

    /** A site in which checks may ask something. */
    public SiteClusters(
            Vertx vertx,
            Config config,
            SiteUpgradeSettings settings,
            HealthCheckConfig checks,
            InstantSource clock,
            LongSupplier ticks) {
        this(vertx, opened(config, settings), settings, checks, clock, ticks);
    }

    private static KubeApiClient opened(Config config, SiteUpgradeSettings settings) {
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
        this.waiting = new ExpiringCache<>(MOST_WAITING, WAITING_NANOS, ticks);
        this.clusters = new WorkloadClusterPool(
                new KubeconfigSecretReader(management, testBed),
                settings.maxConnections(),
                settings.requestsPerCluster(),
                settings.timeout(),
                clock,
                ticks);
    }

    /** The site that a configuration names, on this machine's clocks. */
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

    /** Whether the management cluster has not taken the credentials for so long that somebody has to renew them. */
    public boolean isLockedOut() {
        return management.isLockedOut();
    }

    /** Hands for an attempt, to be asked from one context alone. */
    public NodeClient createNodeClient(UpgradeAttemptParameters upgradeAttemptParameters) {
        return new KubeNodeClient(this, new SerialTaskExecutor(vertx), upgradeAttemptParameters);
    }

    /** The nodes' proxy pods, through the API servers of their clusters. */
    public PodPortForwarder portForwarder() {
        return new PodPortForwarder(vertx, clusters);
    }

    /** How its machines are handled. */
    public SiteUpgradeSettings settings() {
        return settings;
    }

    /**
     * Forgets a machine's certificate, so that it may show a new one. A member of a control plane shares it with the others.
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

    /** When the kubeconfigs of the clusters that are worked on end: nobody renews them by itself. */
    public SortedMap<ClusterKey, Instant> kubeconfigExpiries() {
        return clusters.kubeconfigExpiries();
    }

    /** Warns of kubeconfigs that end soon. */
    public void warnOfKubeconfigExpiry() {
        clusters.warnOfExpiry();
    }

    /** When the first of them ends, in seconds since the epoch; not a number where none is known. */
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
