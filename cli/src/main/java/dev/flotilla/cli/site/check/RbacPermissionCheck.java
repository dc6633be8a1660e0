package dev.flotilla.cli.site.check;

import dev.flotilla.cli.site.DeployedManifest;
import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.cli.site.WorkerRoleManifests;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What watcher and workers may do in the management cluster: whether it is all that the manifests of {@code deploy/} give. */
final class RbacPermissionCheck {
    private static final String WATCHERS = "management-watcher/rbac.yaml";

    /** All clusters of a site that has no more are asked about, 4 requests each; else one of each namespace. */
    static final int EVERY_CLUSTER = 20;

    /** Of so many, 13 requests each. Roles are made for all namespaces at once, so one that is missing is rarely alone. */
    static final int MOST_NAMESPACES = 40;

    private final AccessReviewClient reviews;

    RbacPermissionCheck(KubeApiClient api) {
        this.reviews = new AccessReviewClient(api);
    }

    List<CheckResult> checkPermissions(SiteId site, List<ClusterKey> clusters) {
        return List.of(watcher(), workers(site, clusters));
    }

    private CheckResult watcher() {
        List<RbacPermission> rights = RolePermissions.parseManifest(DeployedManifest.text(WATCHERS));
        return verdict(
                ServiceAccount.WATCHER,
                reviews.findMissingPermissions(ServiceAccount.WATCHER, rights),
                "granted, all " + rights.size() + " of them",
                "`kubectl apply -f deploy/" + WATCHERS + "`");
    }

    private CheckResult workers(SiteId site, List<ClusterKey> clusters) {
        List<ClusterKey> asked = clustersToReview(clusters);
        if (asked.isEmpty()) {
            return CheckResult.unknown(check(ServiceAccount.WORKER), KubeconfigCheck.NO_CLUSTERS);
        }
        List<RbacPermission> rights =
                RolePermissions.parseManifest(WorkerRoleManifests.management(asked, ServiceAccount.WORKER));
        return verdict(
                ServiceAccount.WORKER,
                reviews.findMissingPermissions(ServiceAccount.WORKER, rights),
                "granted, all " + rights.size() + " of them for "
                        + (asked.size() == clusters.size()
                                ? "its clusters"
                                : asked.size() + " of its " + clusters.size() + " clusters, one of a namespace"),
                "`flotilla site rbac " + site + " | kubectl apply -f -`");
    }

    /** Of many clusters, those that are asked about. */
    static List<ClusterKey> clustersToReview(List<ClusterKey> clusters) {
        if (clusters.size() <= EVERY_CLUSTER) {
            return clusters;
        }
        Map<String, ClusterKey> first = new LinkedHashMap<>();
        clusters.forEach(each -> first.putIfAbsent(each.namespace(), each));
        return first.values().stream().limit(MOST_NAMESPACES).toList();
    }

    static CheckResult verdict(
            ServiceAccount account,
            AccessReviewClient.AccessReviewResult accessReviewResult,
            String granted,
            String remedy) {
        String check = check(account);
        return switch (accessReviewResult) {
            case AccessReviewClient.AccessReviewResult.MissingPermissions missingPermissions ->
                missingPermissions.missing().isEmpty()
                        ? CheckResult.ok(check, granted)
                        : CheckResult.failed(
                                check,
                                missingPermissions.missing().size() + " missing, the first is to "
                                        + missingPermissions.missing().getFirst() + ": " + remedy + " grants them");
            case AccessReviewClient.AccessReviewResult.ReviewForbidden reviewForbidden ->
                CheckResult.unknown(
                        check,
                        "we may not ask: come as one who may create subjectaccessreviews.authorization.k8s.io, such as an"
                                + " administrator");
            case AccessReviewClient.AccessReviewResult.ReviewFailed reviewFailed ->
                CheckResult.unknown(
                        check,
                        "not told: " + reviewFailed.reason()
                                + "; if this stays, the API server does not serve this question");
        };
    }

    private static String check(ServiceAccount account) {
        return "rights of " + account.user();
    }
}
