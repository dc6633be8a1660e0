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

/**
 * Checks that watcher and workers have in the management cluster all permissions that the manifests of {@code deploy/}
 * grant.
 */
final class RbacPermissionCheck {
    private static final String WATCHERS = "management-watcher/rbac.yaml";

    /** Up to this number of clusters, all are reviewed, 4 requests each; otherwise one of each namespace. */
    static final int EVERY_CLUSTER = 20;

    /**
     * Largest number of namespaces that are reviewed, 13 requests each. Roles are made for all namespaces at once, so a
     * missing one is rarely alone.
     */
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
        return toResult(
                ServiceAccount.WATCHER,
                reviews.findMissingPermissions(ServiceAccount.WATCHER, rights),
                "all " + rights.size() + " granted",
                "`kubectl apply -f deploy/" + WATCHERS + "`");
    }

    private CheckResult workers(SiteId site, List<ClusterKey> clusters) {
        List<ClusterKey> reviewed = clustersToReview(clusters);
        if (reviewed.isEmpty()) {
            return CheckResult.unknown(checkName(ServiceAccount.WORKER), KubeconfigCheck.NO_CLUSTERS);
        }
        List<RbacPermission> rights =
                RolePermissions.parseManifest(WorkerRoleManifests.management(reviewed, ServiceAccount.WORKER));
        return toResult(
                ServiceAccount.WORKER,
                reviews.findMissingPermissions(ServiceAccount.WORKER, rights),
                "all " + rights.size() + " granted for "
                        + (reviewed.size() == clusters.size()
                                ? "its clusters"
                                : reviewed.size() + " of its " + clusters.size() + " clusters, one in each namespace"),
                "`flotilla site rbac " + site + " | kubectl apply -f -`");
    }

    /** Chooses the clusters that are reviewed. */
    static List<ClusterKey> clustersToReview(List<ClusterKey> clusters) {
        if (clusters.size() <= EVERY_CLUSTER) {
            return clusters;
        }
        Map<String, ClusterKey> first = new LinkedHashMap<>();
        clusters.forEach(each -> first.putIfAbsent(each.namespace(), each));
        return first.values().stream().limit(MOST_NAMESPACES).toList();
    }

    static CheckResult toResult(
            ServiceAccount account,
            AccessReviewClient.AccessReviewResult accessReviewResult,
            String granted,
            String remedy) {
        String check = checkName(account);
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
                        "not permitted to review: use credentials that may create"
                                + " subjectaccessreviews.authorization.k8s.io, such"
                                + " as an administrator's");
            case AccessReviewClient.AccessReviewResult.ReviewNotServed reviewNotServed ->
                CheckResult.unknown(
                        check,
                        "this API server does not serve SubjectAccessReviews (" + reviewNotServed.reason()
                                + "), so the rights cannot be checked: " + remedy + " grants them");
            case AccessReviewClient.AccessReviewResult.ReviewFailed reviewFailed ->
                CheckResult.unknown(
                        check,
                        "the review failed: " + reviewFailed.reason()
                                + "; try again, and check the API server if it persists");
        };
    }

    private static String checkName(ServiceAccount account) {
        return "rights of " + account.user();
    }
}
