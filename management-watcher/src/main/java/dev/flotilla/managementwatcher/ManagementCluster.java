package dev.flotilla.managementwatcher;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.config.ManagementConfig;
import dev.flotilla.managementwatcher.mode.ModeProbe;
import dev.flotilla.managementwatcher.report.Hand;
import dev.flotilla.managementwatcher.report.Pace;
import dev.flotilla.managementwatcher.watch.SightTaker;
import dev.flotilla.managementwatcher.watch.Watches;
import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The API server of a site's management cluster. */
public final class ManagementCluster implements AutoCloseable {
    /** A list and a look at what is served, of each kind. */
    private static final int READS_AT_ONCE = 16;

    private final KubeApiClient reads;
    private final KubeApiClient writes;
    private final ServedApiVersions versions;
    private final Hand hand;

    private ManagementCluster(KubeApiClient reads, KubeApiClient writes, ManagementConfig config) {
        this.reads = reads;
        this.writes = writes;
        this.versions = new ServedApiVersions(reads);
        this.hand = new Hand(
                writes, versions, new Pace(config.writesPerSecond(), System::nanoTime), InstantSource.system());
    }

    /** The one that a configuration names. */
    public static ManagementCluster open(ManagementConfig config) throws IOException {
        return new ManagementCluster(open(config, READS_AT_ONCE), open(config, config.writesAtOnce()), config);
    }

    private static KubeApiClient open(ManagementConfig config, int atOnce) throws IOException {
        return KubeApiClient.open(config.kubeconfigFile(), config.timeout(), atOnce, System::nanoTime);
    }

    /** Whether the API server has not taken the credentials for so long that somebody has to renew them. */
    public boolean isLockedOut() {
        return reads.isLockedOut();
    }

    /** Keeps up with its objects. */
    public Watches watch(SiteId site, SightTaker taker) {
        return Watches.start(site, reads, versions, taker);
    }

    /** Finds out who acts on the provider's keys in it. */
    public ModeProbe modeProbe() {
        return new ModeProbe(reads, InstantSource.system());
    }

    /** Changes its objects. */
    public Hand hand() {
        return hand;
    }

    /** Which cluster it really is; null while it does not say. */
    public @Nullable String uid() {
        return reads.get(KubeApiPath.clusterScopedObject("namespaces", "kube-system")) instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().uid()
                : null;
    }

    @Override
    public void close() {
        reads.close();
        writes.close();
    }
}
