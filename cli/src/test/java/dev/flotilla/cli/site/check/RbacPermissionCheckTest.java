package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.site.DeployedManifest;
import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.cli.site.WorkerRoleManifests;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RbacPermissionCheckTest {
    private static final SiteId EAST = new SiteId("east");

    @Test
    void ruleGivesAPermissionForEachVerbResourceAndName() {
        List<RbacPermission> watcher =
                RolePermissions.parseManifest(DeployedManifest.text("management-watcher/rbac.yaml"));
        assertThat(watcher)
                .extracting(RbacPermission::toString)
                .hasSize(42)
                .startsWith("list clusters.cluster.x-k8s.io", "watch clusters.cluster.x-k8s.io")
                .contains(
                        "patch machines/status.cluster.x-k8s.io",
                        "create events",
                        "list leases.coordination.k8s.io 6b2b21b1.k8s.io",
                        "get namespaces kube-system");
        List<RbacPermission> worker = RolePermissions.parseManifest(WorkerRoleManifests.management(
                List.of(cluster("fleet", "k1"), cluster("shop", "k2")), ServiceAccount.WORKER));
        assertThat(worker)
                .extracting(RbacPermission::toString)
                .hasSize(33)
                .contains(
                        "get secrets k1-kubeconfig in namespace fleet",
                        "patch configmaps k2-flotilla-pins in namespace shop")
                .noneMatch(right -> right.startsWith("create"));
    }

    @Test
    void reviewsSubresourcesSeparately() {
        JsonValue asked = new RbacPermission("fleet", "patch", "cluster.x-k8s.io", "machines/status", "").attributes();

        assertThat(KubeObject.toJsonText(asked))
                .isEqualTo("{\"namespace\":\"fleet\",\"verb\":\"patch\",\"group\":\"cluster.x-k8s.io\","
                        + "\"resource\":\"machines\",\"subresource\":\"status\",\"name\":\"\"}");
    }

    @Test
    void reviewsOneClusterOfEachNamespaceIfThereAreMany() {
        List<ClusterKey> few = IntStream.range(0, RbacPermissionCheck.EVERY_CLUSTER)
                .mapToObj(i -> cluster("fleet", "k" + i))
                .toList();
        assertThat(RbacPermissionCheck.clustersToReview(few)).isEqualTo(few);

        List<ClusterKey> many = IntStream.range(0, 300)
                .mapToObj(i -> cluster("n" + i / 100, "k" + i))
                .toList();
        assertThat(RbacPermissionCheck.clustersToReview(many))
                .containsExactly(cluster("n0", "k0"), cluster("n1", "k100"), cluster("n2", "k200"));

        List<ClusterKey> spread =
                IntStream.range(0, 300).mapToObj(i -> cluster("n" + i, "k" + i)).toList();
        assertThat(RbacPermissionCheck.clustersToReview(spread)).hasSize(RbacPermissionCheck.MOST_NAMESPACES);
    }

    @Test
    void namesTheFirstMissingPermissionAndTheRemedy() {
        RbacPermission first = new RbacPermission("", "list", "cluster.x-k8s.io", "clusters", "");
        RbacPermission second = new RbacPermission("", "watch", "cluster.x-k8s.io", "clusters", "");

        assertThat(line(new AccessReviewClient.AccessReviewResult.MissingPermissions(List.of(first, second))))
                .isEqualTo(
                        "FAILED   rights of system:serviceaccount:flotilla:flotilla-management-watcher: 2 missing, the first"
                                + " is to list clusters.cluster.x-k8s.io: `kubectl apply` grants them");
        assertThat(line(new AccessReviewClient.AccessReviewResult.MissingPermissions(List.of())))
                .startsWith("ok ")
                .endsWith(": all");
        assertThat(line(new AccessReviewClient.AccessReviewResult.ReviewForbidden()))
                .startsWith("unknown ")
                .contains("may create subjectaccessreviews.authorization.k8s.io");
        assertThat(line(new AccessReviewClient.AccessReviewResult.ReviewFailed("503 later")))
                .startsWith("unknown ")
                .contains("503 later", "try again");
    }

    private static String line(AccessReviewClient.AccessReviewResult accessReviewResult) {
        return RbacPermissionCheck.toResult(ServiceAccount.WATCHER, accessReviewResult, "all", "`kubectl apply`")
                .line();
    }

    private static ClusterKey cluster(String namespace, String name) {
        return new ClusterKey(EAST, namespace, name);
    }
}
