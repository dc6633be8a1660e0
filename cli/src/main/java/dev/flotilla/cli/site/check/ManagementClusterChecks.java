package dev.flotilla.cli.site.check;

import dev.flotilla.clusterapi.registration.ExtensionConflictFinder;
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

/** Checks of the management cluster that a site's upgrades depend on. */
final class ManagementClusterChecks implements AutoCloseable {
    static final String CHECK = "management cluster";

    /** Timeout of each request. If the first one times out, no further check runs. */
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
        CheckResult reached = checkConnection(reportedSiteInventory.heartbeat());
        verdicts.add(reached);
        if (reached.status() == CheckResult.CheckStatus.FAILED) {
            return verdicts;
        }
        verdicts.add(AdmissionPolicyCheck.checkPolicy(
                new SiteModeProbe(api, clock).probeProvider(), reportedSiteInventory.heartbeat()));
        verdicts.addAll(new RbacPermissionCheck(api).checkPermissions(site, reportedSiteInventory.clusters()));
        verdicts.add(new KubeconfigCheck(api, clock).checkKubeconfigs(reportedSiteInventory.clusters()));
        verdicts.add(new SnapHoldCheck(api).checkNodes());
        verdicts.add(ExtensionConflictCheck.checkExtensions(new ExtensionConflictFinder(api).find()));
        return verdicts;
    }

    /**
     * Checks that the API server answers and is the one that the site's watcher uses; otherwise other checks are
     * meaningless.
     */
    private CheckResult checkConnection(@Nullable WatcherHeartbeat heartbeat) {
        KubeResponse version = api.get("/version");
        if (version instanceof KubeResponse.NoResponse noResponse) {
            return CheckResult.failed(
                    CHECK,
                    api.root() + " does not answer: " + noResponse.message()
                            + ": check that it runs and can be reached from here");
        }
        if (version instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == KubeResponse.UNAUTHORIZED) {
            return CheckResult.failed(
                    CHECK,
                    api.root() + " rejects the credentials (" + errorResponse.problem()
                            + "): give a kubeconfig whose credentials are valid");
        }
        KubeResponse system = api.get(KubeApiPath.clusterScopedObject("namespaces", "kube-system"));
        if (heartbeat == null || !(system instanceof KubeResponse.SuccessResponse successResponse)) {
            return CheckResult.ok(
                    CHECK,
                    api.root() + " answers; not checked whether it is this site's, because"
                            + " namespace kube-system or a heartbeat cannot be read");
        }
        String uid = successResponse.object().uid();
        return uid.equals(heartbeat.managementUid())
                ? CheckResult.ok(CHECK, api.root() + " answers and is the one that the site's watcher uses")
                : CheckResult.failed(
                        CHECK,
                        api.root() + " is not the one that the site's watcher uses (namespace kube-system has uid "
                                + uid
                                + ", the watcher's has " + heartbeat.managementUid()
                                + "): give the kubeconfig of this site's management cluster");
    }

    @Override
    public void close() {
        api.close();
    }
}
