package dev.flotilla.managementwatcher;

import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.KubePath;
import dev.flotilla.kube.Reply;
import dev.flotilla.kube.ServedVersions;
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

    private final KubeApi reads;
    private final KubeApi writes;
    private final ServedVersions versions;
    private final Hand hand;

    private ManagementCluster(KubeApi reads, KubeApi writes, ManagementConfig config) {
        this.reads = reads;
        this.writes = writes;
        this.versions = new ServedVersions(reads);
        this.hand = new Hand(
                writes, versions, new Pace(config.writesPerSecond(), System::nanoTime), InstantSource.system());
    }

    /** The one that a configuration names. */
    public static ManagementCluster open(ManagementConfig config) throws IOException {
        return new ManagementCluster(open(config, READS_AT_ONCE), open(config, config.writesAtOnce()), config);
    }

    private static KubeApi open(ManagementConfig config, int atOnce) throws IOException {
        return KubeApi.open(config.kubeconfigFile(), config.timeout(), atOnce, System::nanoTime);
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
        return reads.get(KubePath.global("namespaces", "kube-system")) instanceof Reply.Done done
                ? done.object().uid()
                : null;
    }

    @Override
    public void close() {
        reads.close();
        writes.close();
    }
}
