package dev.flotilla.nodeworker.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The deployed roles allow exactly what a worker does. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class WorkerRbacIT {
    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");
    private static final List<String> NAMESPACES =
            List.of("fleet", "kube-system", "kube-node-lease", "default", "elsewhere");
    private static final String RULES = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    private static SiteTestBed siteTestBed;

    @BeforeAll
    static void start() throws Exception {
        siteTestBed = new SiteTestBed(1, 1);
    }

    @AfterAll
    static void stop() {
        siteTestBed.close();
    }

    @Test
    void rolesAllowExactlyTheseRequestsInTheManagementCluster() throws Exception {
        assertThat(allowed(siteTestBed.management, SiteTestBed.SERVICE_ACCOUNT))
                .containsExactlyInAnyOrder(
                        "fleet: get machines.cluster.x-k8s.io",
                        "fleet: patch machines.cluster.x-k8s.io",
                        "fleet: get clusters.cluster.x-k8s.io",
                        "fleet: get machinedeployments.cluster.x-k8s.io",
                        "fleet: get machinesets.cluster.x-k8s.io",
                        "fleet: get ck8scontrolplanes.controlplane.cluster.x-k8s.io",
                        "fleet: get kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
                        "fleet: get kthreescontrolplanes.controlplane.cluster.x-k8s.io",
                        "fleet: get rke2controlplanes.controlplane.cluster.x-k8s.io",
                        "fleet: get ck8sconfigs.bootstrap.cluster.x-k8s.io",
                        "fleet: list machinedrainrules.cluster.x-k8s.io",
                        "everywhere: get customresourcedefinitions.apiextensions.k8s.io");
    }

    @Test
    void readsSecretsOnlyByName() {
        List<String> may = new ArrayList<>();
        for (String name : List.of("blue-kubeconfig", "blue-token", "blue-flotilla-pins", "green-token", "other")) {
            for (String verb : VERBS) {
                for (String plural : List.of("secrets", "configmaps")) {
                    if (isAllowed(
                            siteTestBed.managementAdmin,
                            SiteTestBed.SERVICE_ACCOUNT,
                            "fleet",
                            verb,
                            "",
                            plural,
                            "",
                            name)) {
                        may.add(verb + " " + plural + " " + name);
                    }
                }
            }
        }
        assertThat(may)
                .containsExactlyInAnyOrder(
                        "get secrets blue-kubeconfig",
                        "get secrets blue-token",
                        "get secrets blue-flotilla-pins",
                        "get configmaps blue-flotilla-pins",
                        "patch configmaps blue-flotilla-pins");
    }

    /** A Secret of this type is filled with a token of the ServiceAccount that it names, regardless of its creator. */
    @Test
    void readableSecretsGiveNoServiceAccountToken() throws Exception {
        String secrets = "/api/v1/namespaces/fleet/secrets";
        JsonObjectReader asked = ImmutableJson.object(
                "apiVersion", "v1",
                "kind", "Secret",
                "type", "kubernetes.io/service-account-token",
                "metadata",
                        ImmutableJson.object(
                                "name", "blue-flotilla-pins",
                                "namespace", "fleet",
                                "annotations", ImmutableJson.object("kubernetes.io/service-account.name", "default")));
        try (KubeApiClient worker = SiteTestBed.api(siteTestBed.management.kubeconfig(), SiteTestBed.SERVICE_ACCOUNT)) {
            assertThat(worker.createObject(secrets, asked)).as("creates it").matches(KubeResponse::isForbidden);
            assertThat(worker.mergePatch(secrets + "/blue-flotilla-pins", asked))
                    .as("changes one that is not there")
                    .matches(KubeResponse::isForbidden);
            assertThat(siteTestBed.managementAdmin.createObject(
                            secrets,
                            ImmutableJson.object(
                                    "apiVersion", "v1",
                                    "kind", "Secret",
                                    "metadata",
                                            ImmutableJson.object("name", "blue-flotilla-pins", "namespace", "fleet"))))
                    .isInstanceOf(KubeResponse.SuccessResponse.class);
            assertThat(worker.mergePatch(secrets + "/blue-flotilla-pins", asked))
                    .as("changes one of an earlier version")
                    .matches(KubeResponse::isForbidden);
        } finally {
            siteTestBed.management.delete(secrets + "/blue-flotilla-pins");
        }
    }

    @Test
    void rolesAllowExactlyTheseRequestsInAWorkloadCluster() throws Exception {
        assertThat(allowed(siteTestBed.workload, SiteTestBed.WORKER))
                .containsExactlyInAnyOrder(
                        "everywhere: get nodes",
                        "everywhere: list nodes",
                        "everywhere: patch nodes",
                        "everywhere: list namespaces",
                        "kube-system: get pods/portforward",
                        "kube-system: create pods/portforward",
                        "kube-node-lease: get leases.coordination.k8s.io",
                        "default: list endpointslices.discovery.k8s.io",
                        // Only where the site drains.
                        "everywhere: list pods",
                        "everywhere: create pods/eviction");
    }

    @Test
    void impersonationForbidsAllOtherRequests() throws Exception {
        try (KubeApiClient worker = SiteTestBed.api(siteTestBed.workload.kubeconfig(), SiteTestBed.WORKER)) {
            assertThat(worker.get("/api/v1/nodes/w-1")).isInstanceOf(KubeResponse.SuccessResponse.class);
            for (String path : List.of(
                    "/api/v1/secrets",
                    "/api/v1/namespaces/kube-system/secrets",
                    "/api/v1/namespaces/kube-system/configmaps",
                    "/api/v1/namespaces/kube-system/pods/k8sd-proxy-w-1",
                    "/api/v1/namespaces/kube-system/pods/k8sd-proxy-w-1/log",
                    "/apis/apps/v1/daemonsets",
                    "/apis/rbac.authorization.k8s.io/v1/clusterroles")) {
                assertThat(worker.get(path))
                        .as(path)
                        .isInstanceOfSatisfying(
                                KubeResponse.ErrorResponse.class,
                                errorResponse ->
                                        assertThat(errorResponse.status()).isEqualTo(403));
            }
            assertThat(worker.createObject(
                            "/api/v1/namespaces/default/configmaps",
                            ImmutableJson.object("metadata", ImmutableJson.object("name", "forbidden"))))
                    .isInstanceOfSatisfying(
                            KubeResponse.ErrorResponse.class,
                            errorResponse -> assertThat(errorResponse.status()).isEqualTo(403));
        }
    }

    @Test
    void reportsAForbiddenPortForwardWithTheApiServersMessage() throws Exception {
        String role = "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/flotilla-node-worker";
        KubeObject before = ((KubeResponse.SuccessResponse) siteTestBed.workloadAdmin.get(role)).object();
        siteTestBed.workloadAdmin.mergePatch(
                role,
                ImmutableJson.object(
                        "rules",
                        ImmutableJson.list(ImmutableJson.object(
                                "apiGroups",
                                ImmutableJson.list(""),
                                "resources",
                                ImmutableJson.list("pods"),
                                "verbs",
                                ImmutableJson.list("list")))));
        try {
            TestBedNode node = siteTestBed.node("w-1");
            NodeUpgrader nodeUpgrader = new NodeUpgraderFactory(
                            siteTestBed.vertx, siteTestBed.site(SiteUpgradeSettings.DEFAULT), null)
                    .createUpgrader(
                            new UpgradeAttemptParameters(
                                    node.machine(), siteTestBed.uid(node), 7, node.role(), 1, "0/here"),
                            false);
            assertThat(nodeUpgrader
                            .connectToProvider()
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(60, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            ConnectResult.NotReachable.class,
                            notReachable -> assertThat(notReachable.text())
                                    .contains("403", "k8sd-proxy-w-1", "flotilla:node-worker", "pods/portforward"));
        } finally {
            siteTestBed.workloadAdmin.mergePatch(
                    role,
                    new JsonObjectReader.Builder()
                            .put("rules", Objects.requireNonNull(before.valueAt("rules")))
                            .build());
        }
    }

    /** What a user may do with all objects of a kind, in a namespace or everywhere, as the API server tells him. */
    private static SortedSet<String> allowed(KubeCluster cluster, String user) throws Exception {
        SortedSet<String> allowed = new TreeSet<>();
        try (KubeApiClient api = SiteTestBed.api(cluster.kubeconfig(), user)) {
            Set<String> everywhere = rules(api, "nowhere");
            everywhere.forEach(each -> allowed.add("everywhere: " + each));
            for (String namespace : NAMESPACES) {
                rules(api, namespace).stream()
                        .filter(each -> !everywhere.contains(each))
                        .forEach(each -> allowed.add(namespace + ": " + each));
            }
        }
        return allowed;
    }

    private static Set<String> rules(KubeApiClient api, String namespace) {
        KubeResponse reply =
                api.createObject(RULES, ImmutableJson.object("spec", ImmutableJson.object("namespace", namespace)));
        KubeObject status = ((KubeResponse.SuccessResponse) reply).object().object("status");
        assertThat(status.bool("incomplete")).as("there may be more").isFalse();
        Set<String> rules = new TreeSet<>();
        for (KubeObject rule : status.list("resourceRules")) {
            if (!rule.texts("resourceNames").isEmpty()) {
                continue;
            }
            for (String group : rule.texts("apiGroups")) {
                for (String resource : rule.texts("resources")) {
                    // To ask what one may do is free to everybody.
                    if (!resource.startsWith("selfsubject")) {
                        rule.texts("verbs")
                                .forEach(verb ->
                                        rules.add(verb + " " + resource + (group.isEmpty() ? "" : "." + group)));
                    }
                }
            }
        }
        return rules;
    }

    private static boolean isAllowed(
            KubeApiClient api,
            String user,
            String namespace,
            String verb,
            String group,
            String plural,
            String subresource,
            String name) {
        JsonObjectReader asked = ImmutableJson.object(
                "spec",
                ImmutableJson.object(
                        "user",
                        user,
                        "resourceAttributes",
                        ImmutableJson.object(
                                "namespace", namespace,
                                "verb", verb,
                                "group", group,
                                "resource", plural,
                                "subresource", subresource,
                                "name", name)));
        return api.createObject(REVIEWS, asked) instanceof KubeResponse.SuccessResponse successResponse
                && successResponse.object().bool("status", "allowed");
    }
}
