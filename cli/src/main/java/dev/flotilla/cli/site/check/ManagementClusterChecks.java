package dev.flotilla.cli.site.check;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.managementwatcher.mode.SiteModeProbe;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that a site's upgrades need of its management cluster, looked at one after another. */
final class ManagementClusterChecks implements AutoCloseable {
    static final String CHECK = "management cluster";

    /** For each request. Who does not answer the first is asked no further. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final int AT_ONCE = 1;

    private final KubeApiClient api;
    private final InstantSource clock = InstantSource.system();

    private ManagementClusterChecks(KubeApiClient api) {
        this.api = api;
    }

    static ManagementClusterChecks open(Path kubeconfig) throws IOException {
        return new ManagementClusterChecks(UserKubeconfig.open(kubeconfig, TIMEOUT, AT_ONCE));
    }

    List<CheckResult> runAll(SiteId site, ReportedSiteInventory reportedSiteInventory) {
        List<CheckResult> verdicts = new ArrayList<>();
        CheckResult reached = reached(reportedSiteInventory.heartbeat());
        verdicts.add(reached);
        if (reached.status() == CheckResult.CheckStatus.FAILED) {
            return verdicts;
        }
        verdicts.add(AdmissionPolicyCheck.checkPolicy(
                new SiteModeProbe(api, clock).probeProvider(), reportedSiteInventory.heartbeat()));
        verdicts.addAll(new RbacPermissionCheck(api).checkPermissions(site, reportedSiteInventory.clusters()));
        verdicts.add(new KubeconfigCheck(api, clock).checkKubeconfigs(reportedSiteInventory.clusters()));
        verdicts.add(new SnapHoldCheck(api).checkNodes());
        return verdicts;
    }

    /** Whether it answers, and is the one that the site's watcher sees: of another one nothing else would be true. */
    private CheckResult reached(@Nullable WatcherHeartbeat heartbeat) {
        KubeResponse version = api.get("/version");
        if (version instanceof KubeResponse.NoResponse noResponse) {
            return CheckResult.failed(
                    CHECK,
                    api.root() + " does not answer: " + noResponse.message()
                            + ": see whether it runs, and whether it can be reached from here");
        }
        if (version instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == KubeResponse.UNAUTHORIZED) {
            return CheckResult.failed(
                    CHECK,
                    api.root() + " does not know who asks (" + errorResponse.problem()
                            + "): give a kubeconfig whose credentials have not ended");
        }
        KubeResponse system = api.get(KubeApiPath.clusterScopedObject("namespaces", "kube-system"));
        if (heartbeat == null || !(system instanceof KubeResponse.SuccessResponse successResponse)) {
            return CheckResult.ok(CHECK, api.root() + " answers; whether it is the site's own could not be seen");
        }
        String uid = successResponse.object().uid();
        return uid.equals(heartbeat.managementUid())
                ? CheckResult.ok(CHECK, api.root() + " answers, and is the one that the site's watcher sees")
                : CheckResult.failed(
                        CHECK,
                        api.root() + " is another one than the site's watcher sees (namespace kube-system has uid "
                                + uid
                                + ", there " + heartbeat.managementUid()
                                + "): give the kubeconfig of this site's management cluster");
    }

    @Override
    public void close() {
        api.close();
    }
}
