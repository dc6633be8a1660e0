package dev.flotilla.managementwatcher;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.config.ManagementClusterConfig;
import dev.flotilla.managementwatcher.mode.SiteModeProbe;
import dev.flotilla.managementwatcher.report.ObjectWriter;
import dev.flotilla.managementwatcher.report.WriteRateLimiter;
import dev.flotilla.managementwatcher.watch.ReflectorGroup;
import dev.flotilla.managementwatcher.watch.WatchEventHandler;
import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The API server of a site's management cluster. */
public final class ManagementClusterApi implements AutoCloseable {
    /** A list and a look at what is served, of each kind. */
    private static final int READS_AT_ONCE = 16;

    private final KubeApiClient reads;
    private final KubeApiClient writes;
    private final ServedApiVersions versions;
    private final ObjectWriter createObjectWriter;

    private ManagementClusterApi(KubeApiClient reads, KubeApiClient writes, ManagementClusterConfig config) {
        this.reads = reads;
        this.writes = writes;
        this.versions = new ServedApiVersions(reads);
        this.createObjectWriter = new ObjectWriter(
                writes,
                versions,
                new WriteRateLimiter(config.writesPerSecond(), System::nanoTime),
                InstantSource.system());
    }

    /** The one that a configuration names. */
    public static ManagementClusterApi open(ManagementClusterConfig config) throws IOException {
        return new ManagementClusterApi(
                open(config, READS_AT_ONCE), open(config, config.maxConcurrentWrites()), config);
    }

    private static KubeApiClient open(ManagementClusterConfig config, int atOnce) throws IOException {
        return KubeApiClient.open(config.kubeconfigFile(), config.timeout(), atOnce, System::nanoTime);
    }

    /** Whether the API server has not taken the credentials for so long that somebody has to renew them. */
    public boolean isLockedOut() {
        return reads.isLockedOut();
    }

    /** Keeps up with its objects. */
    public ReflectorGroup startWatches(SiteId site, WatchEventHandler taker) {
        return ReflectorGroup.start(site, reads, versions, taker);
    }

    /** Finds out who acts on the provider's keys in it. */
    public SiteModeProbe createModeProbe() {
        return new SiteModeProbe(reads, InstantSource.system());
    }

    /** Changes its objects. */
    public ObjectWriter createObjectWriter() {
        return createObjectWriter;
    }

    /** Which cluster it really is; null while it does not say. */
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
