package dev.flotilla.managementwatcher;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.config.ExternalUpgradeConfig;
import dev.flotilla.managementwatcher.config.ManagementClusterConfig;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.external.ExternalUpgradeServer;
import dev.flotilla.managementwatcher.inplace.InPlaceClusters;
import dev.flotilla.managementwatcher.intercept.InterceptWebhook;
import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.mode.SiteModeProbe;
import dev.flotilla.managementwatcher.report.ObjectWriter;
import dev.flotilla.managementwatcher.report.WriteRateLimiter;
import dev.flotilla.managementwatcher.watch.ReflectorGroup;
import dev.flotilla.managementwatcher.watch.WatchEventHandler;
import dev.flotilla.schemas.id.SiteId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API server of a site's management cluster. */
public final class ManagementClusterApi implements AutoCloseable {
    /** Concurrent reads: for each watched kind, a list and a lookup of its served version. */
    private static final int MAX_CONCURRENT_READS = 16;

    private final KubeApiClient reads;
    private final KubeApiClient writes;
    private final ServedApiVersions versions;
    private final ObjectWriter objectWriter;

    private ManagementClusterApi(KubeApiClient reads, KubeApiClient writes, ManagementClusterConfig config) {
        this.reads = reads;
        this.writes = writes;
        this.versions = new ServedApiVersions(reads);
        this.objectWriter = new ObjectWriter(
                writes,
                versions,
                new WriteRateLimiter(config.writesPerSecond(), System::nanoTime),
                InstantSource.system());
    }

    /** Opens the cluster that the configuration names. */
    public static ManagementClusterApi open(ManagementClusterConfig config) throws IOException {
        return new ManagementClusterApi(
                open(config, MAX_CONCURRENT_READS), open(config, config.maxConcurrentWrites()), config);
    }

    private static KubeApiClient open(ManagementClusterConfig config, int maxConcurrentRequests) throws IOException {
        return KubeApiClient.open(config.kubeconfigFile(), config.timeout(), maxConcurrentRequests, System::nanoTime);
    }

    /** Whether the API server has rejected the credentials for so long that they must be renewed. */
    public boolean isLockedOut() {
        return reads.isLockedOut();
    }

    /** Starts reading the clusters whose machines Cluster API updates in place. */
    public InPlaceClusters startInPlaceClusters(SiteId site, WatcherListener listener) {
        return new InPlaceClusters(reads, versions, site, listener).start(InPlaceClusters.INTERVAL);
    }

    /** Starts watching all kinds of objects. */
    public ReflectorGroup startWatches(SiteId site, WatchEventHandler handler) {
        return ReflectorGroup.start(site, reads, versions, handler);
    }

    /** Starts the listener for ExternalUpgradeRequests. */
    Future<ExternalUpgradeServer> startExternalUpgradeServer(
            Vertx vertx, ExternalUpgradeConfig config, SiteId site, Supplier<@Nullable DetectedSiteMode> mode) {
        return ExternalUpgradeServer.start(vertx, config, reads, site, () -> {
            DetectedSiteMode detected = mode.get();
            return detected == null ? null : detected.mode();
        });
    }

    /** Creates the webhook that hides annotations from the provider's controllers. */
    public InterceptWebhook createInterceptWebhook() {
        return new InterceptWebhook(reads);
    }

    /** Creates the probe that finds out who acts on the provider's annotations. */
    public SiteModeProbe createModeProbe() {
        return new SiteModeProbe(reads, InstantSource.system());
    }

    /** The writer of this cluster's objects; there is one, so that all writes share one rate limit. */
    public ObjectWriter createObjectWriter() {
        return objectWriter;
    }

    /** The uid of the namespace kube-system, which identifies the cluster; null while it cannot be read. */
    public @Nullable String uid() {
        return reads.get(KubeApiPath.clusterScopedObject("namespaces", "kube-system"))
                        instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().uid()
                : null;
    }

    @Override
    public void close() {
        reads.close();
        writes.close();
    }
}
