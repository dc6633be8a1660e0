package dev.flotilla.nodeworker.bed;

import static dev.flotilla.nodeworker.bed.SiteTestBed.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.checks.HealthCheckRunner;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeOptions;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A check by CEL reads custom resources of a real API server, with the rights that an aggregated ClusterRole gives. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class CelCheckOnApiServerIT {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";
    private static final String CEPH = "/apis/ceph.rook.io/v1/namespaces/default/cephclusters/main";

    private static SiteTestBed siteTestBed;
    private static Vertx vertx;

    @BeforeAll
    static void start() throws Exception {
        siteTestBed =
                new SiteTestBed(1, 0, KubeOptions.apiServer().withControllers("clusterrole-aggregation-controller"));
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        siteTestBed.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static void ceph(String health) {
        siteTestBed.management.apply(CEPH, """
                {apiVersion: ceph.rook.io/v1, kind: CephCluster, metadata: {name: main, namespace: default},
                 status: {ceph: {health: %s}}}\
                """.formatted(health));
    }

    private static void allow(String verbs) {
        siteTestBed.management.apply(ROLES + "ceph-for-flotilla", """
                {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: ceph-for-flotilla,
                 labels: {flotilla.dev/aggregate-to-node-worker-checks: 'true'}},
                 rules: [{apiGroups: [ceph.rook.io], resources: [cephclusters], verbs: [%s]}]}\
                """.formatted(verbs));
    }

    private static @Nullable String problem(KubeApiClient api, @Nullable String name) {
        HealthCheck check = new HealthCheck(
                "ceph",
                new HealthCheck.CelProbe(
                        true,
                        "ceph.rook.io/v1",
                        "cephclusters",
                        "default",
                        name,
                        Labels.NONE,
                        "object.status.ceph.health == 'HEALTH_OK'",
                        "Ceph is not HEALTH_OK"),
                true,
                Duration.ofSeconds(30),
                List.of());
        try (HealthCheckRunner runner = new HealthCheckRunner(vertx, HealthCheckConfig.NONE)) {
            List<FailedCheck> failed = runner.runChecks(List.of(check), placeholder -> "x", new Management(api));
            return failed.isEmpty() ? null : failed.getFirst().text();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void readsACustomResourceOnceItIsAllowedTo() throws Exception {
        siteTestBed.management.apply(CRDS + "cephclusters.ceph.rook.io", """
                {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
                 metadata: {name: cephclusters.ceph.rook.io}, spec: {group: ceph.rook.io, scope: Namespaced,
                   names: {kind: CephCluster, plural: cephclusters}, versions: [{name: v1, served: true, storage: true,
                     schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}\
                """);
        try (KubeApiClient admin = SiteTestBed.api(siteTestBed.management.kubeconfig(), null);
                KubeApiClient worker =
                        SiteTestBed.api(siteTestBed.management.kubeconfig(), SiteTestBed.SERVICE_ACCOUNT)) {
            await(
                    "the CRD to be served",
                    () -> admin.get("/apis/ceph.rook.io/v1") instanceof KubeResponse.SuccessResponse);
            ceph("HEALTH_OK");
            assertThat(problem(worker, "main"))
                    .startsWith("cephclusters main cannot be read: 403")
                    .contains("apiGroups: [ceph.rook.io], resources: [cephclusters], verbs: [get]")
                    .contains("flotilla.dev/aggregate-to-node-worker-checks: \"true\"");
            allow("get, list");
            await("the role to be aggregated", () -> problem(worker, "main") == null);
            assertThat(problem(worker, null)).isNull();
            ceph("HEALTH_ERR");
            assertThat(problem(worker, "main")).isEqualTo("Ceph is not HEALTH_OK (cephclusters default/main)");
            assertThat(problem(worker, null)).isEqualTo("Ceph is not HEALTH_OK (cephclusters default/main)");
            assertThat(problem(worker, "other")).startsWith("cephclusters other cannot be read: 404");
        }
    }

    /** Only the management cluster is asked. */
    private record Management(KubeApiClient api) implements HealthCheckRunner.ClusterApiQueries {
        @Override
        public @Nullable String queryManagementCluster(Function<KubeApiClient, @Nullable String> query) {
            return query.apply(api);
        }

        @Override
        public @Nullable String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> query) {
            return "no workload cluster";
        }
    }
}
