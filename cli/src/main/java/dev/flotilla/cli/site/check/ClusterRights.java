package dev.flotilla.cli.site.check;

import dev.flotilla.cli.site.DeployedManifest;
import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.cli.site.WorkerRoles;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What watcher and workers may do in the management cluster: whether it is all that the manifests of {@code deploy/} give. */
final class ClusterRights {
    private static final String WATCHERS = "management-watcher/rbac.yaml";

    /** All clusters of a site that has no more are asked about, 4 requests each; else one of each namespace. */
    static final int EVERY_CLUSTER = 20;

    /** Of so many, 13 requests each. Roles are made for all namespaces at once, so one that is missing is rarely alone. */
    static final int MOST_NAMESPACES = 40;

    private final AccessReviews reviews;

    ClusterRights(KubeApiClient api) {
        this.reviews = new AccessReviews(api);
    }

    List<Verdict> verdicts(SiteId site, List<ClusterKey> clusters) {
        return List.of(watcher(), workers(site, clusters));
    }

    private Verdict watcher() {
        List<Right> rights = RoleRights.of(DeployedManifest.text(WATCHERS));
        return verdict(
                ServiceAccount.WATCHER,
                reviews.missing(ServiceAccount.WATCHER, rights),
                "granted, all " + rights.size() + " of them",
                "`kubectl apply -f deploy/" + WATCHERS + "`");
    }

    private Verdict workers(SiteId site, List<ClusterKey> clusters) {
        List<ClusterKey> asked = asked(clusters);
        if (asked.isEmpty()) {
            return Verdict.unknown(check(ServiceAccount.WORKER), KubeconfigsCheck.NO_CLUSTERS);
        }
        List<Right> rights = RoleRights.of(WorkerRoles.management(asked, ServiceAccount.WORKER));
        return verdict(
                ServiceAccount.WORKER,
                reviews.missing(ServiceAccount.WORKER, rights),
                "granted, all " + rights.size() + " of them for "
                        + (asked.size() == clusters.size()
                                ? "its clusters"
                                : asked.size() + " of its " + clusters.size() + " clusters, one of a namespace"),
                "`flotilla site rbac " + site + " | kubectl apply -f -`");
    }

    /** Of many clusters, those that are asked about. */
    static List<ClusterKey> asked(List<ClusterKey> clusters) {
        if (clusters.size() <= EVERY_CLUSTER) {
            return clusters;
        }
        Map<String, ClusterKey> first = new LinkedHashMap<>();
        clusters.forEach(each -> first.putIfAbsent(each.namespace(), each));
        return first.values().stream().limit(MOST_NAMESPACES).toList();
    }

    static Verdict verdict(ServiceAccount account, AccessReviews.Answer answer, String granted, String remedy) {
        String check = check(account);
        return switch (answer) {
            case AccessReviews.Answer.Told told ->
                told.missing().isEmpty()
                        ? Verdict.ok(check, granted)
                        : Verdict.failed(
                                check,
                                told.missing().size() + " missing, the first is to "
                                        + told.missing().getFirst() + ": " + remedy + " grants them");
            case AccessReviews.Answer.Forbidden forbidden ->
                Verdict.unknown(
                        check,
                        "we may not ask: come as one who may create subjectaccessreviews.authorization.k8s.io, such as an"
                                + " administrator");
            case AccessReviews.Answer.Dark dark ->
                Verdict.unknown(
                        check,
                        "not told: " + dark.why() + "; if this stays, the API server does not serve this question");
        };
    }

    private static String check(ServiceAccount account) {
        return "rights of " + account.user();
    }
}
