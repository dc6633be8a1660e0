package dev.flotilla.nodeworker.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.Contact;
import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.Reply;
import dev.flotilla.nodeworker.drive.Tools;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.nodeworker.hands.SiteSettings;
import dev.flotilla.nodeworker.site.SiteTools;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What a worker may do with the roles that are deployed: every verb on every resource that the API servers have. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class RightsIT {
    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");
    private static final List<String> NAMESPACES =
            List.of("fleet", "kube-system", "kube-node-lease", "default", "elsewhere");
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    private static Bed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = new Bed(1, 1);
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    @Test
    void inTheManagementClusterItMayDoThisAndNothingElse() {
        assertThat(allowed(bed.managementAdmin, Bed.SERVICE_ACCOUNT))
                .containsExactlyInAnyOrder(
                        "fleet: get machines.cluster.x-k8s.io",
                        "fleet: patch machines.cluster.x-k8s.io",
                        "fleet: get clusters.cluster.x-k8s.io",
                        "fleet: get machinedeployments.cluster.x-k8s.io",
                        "fleet: get machinesets.cluster.x-k8s.io",
                        "fleet: get ck8scontrolplanes.controlplane.cluster.x-k8s.io",
                        "fleet: get ck8sconfigs.bootstrap.cluster.x-k8s.io",
                        "fleet: list machinedrainrules.cluster.x-k8s.io",
                        "fleet: create secrets");
    }

    @Test
    void secretsItReadsByNameAlone() {
        List<String> may = new ArrayList<>();
        for (String name : List.of("blue-kubeconfig", "blue-token", "blue-flotilla-pins", "green-token", "other")) {
            for (String verb : VERBS) {
                if (isAllowed(bed.managementAdmin, Bed.SERVICE_ACCOUNT, "fleet", verb, "", "secrets", "", name)) {
                    may.add(verb + " " + name);
                }
            }
        }
        assertThat(may)
                .containsExactlyInAnyOrder(
                        "get blue-kubeconfig",
                        "get blue-token",
                        "get blue-flotilla-pins",
                        "patch blue-flotilla-pins",
                        // An API server cannot bind creating to a name.
                        "create blue-kubeconfig",
                        "create blue-token",
                        "create blue-flotilla-pins",
                        "create green-token",
                        "create other");
    }

    @Test
    void inAWorkloadClusterItMayDoThisAndNothingElse() {
        List<String> expected = new ArrayList<>(List.of(
                "cluster: get nodes",
                "cluster: list nodes",
                "cluster: patch nodes",
                "cluster: list namespaces",
                "kube-system: get pods/portforward",
                "kube-system: create pods/portforward",
                "kube-node-lease: get leases.coordination.k8s.io",
                "default: list endpointslices.discovery.k8s.io"));
        // Only where the site drains.
        NAMESPACES.forEach(namespace -> {
            expected.add(namespace + ": list pods");
            expected.add(namespace + ": create pods/eviction");
        });
        assertThat(allowed(bed.workloadAdmin, Bed.WORKER)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void whatItMayNotDoIsForbiddenToItUnderImpersonation() throws Exception {
        try (KubeApi worker = Bed.api(bed.workload.kubeconfig(), Bed.WORKER)) {
            assertThat(worker.get("/api/v1/nodes/w-1")).isInstanceOf(Reply.Done.class);
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
                                Reply.Refused.class,
                                refused -> assertThat(refused.status()).isEqualTo(403));
            }
            assertThat(worker.post(
                            "/api/v1/namespaces/default/configmaps",
                            Json.object("metadata", Json.object("name", "forbidden"))))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.status()).isEqualTo(403));
        }
    }

    @Test
    void aForwardThatIsForbiddenIsToldAsTheApiServerTellsIt() throws Exception {
        String role = "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/flotilla-node-worker";
        Kube before = ((Reply.Done) bed.workloadAdmin.get(role)).object();
        bed.workloadAdmin.merge(
                role,
                Json.object(
                        "rules",
                        Json.list(Json.object(
                                "apiGroups",
                                Json.list(""),
                                "resources",
                                Json.list("pods"),
                                "verbs",
                                Json.list("list")))));
        try {
            BedNode node = bed.node("w-1");
            Tools tools = new SiteTools(bed.vertx, bed.site(SiteSettings.DEFAULT), null)
                    .tools(new Errand(node.machine(), bed.uid(node), 7, node.role(), 1, "0/here"), false);
            assertThat(tools.reach().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Contact.Missing.class,
                            missing -> assertThat(missing.text())
                                    .contains("403", "k8sd-proxy-w-1", "flotilla:node-worker", "pods/portforward"));
        } finally {
            bed.workloadAdmin.merge(
                    role,
                    new Obj.Builder()
                            .put("rules", Objects.requireNonNull(before.at("rules")))
                            .build());
        }
    }

    /** What a user may do, in each namespace or in all of the cluster. */
    private static SortedSet<String> allowed(KubeApi api, String user) {
        SortedSet<String> allowed = new TreeSet<>();
        for (Resource resource : resources(api)) {
            for (String verb : VERBS) {
                if (isAllowed(api, user, "", verb, resource.group(), resource.plural(), resource.subresource(), "")) {
                    if (resource.namespaced()) {
                        NAMESPACES.forEach(namespace -> allowed.add(namespace + ": " + verb + " " + resource.said()));
                    } else {
                        allowed.add("cluster: " + verb + " " + resource.said());
                    }
                } else if (resource.namespaced()) {
                    for (String namespace : NAMESPACES) {
                        if (isAllowed(
                                api,
                                user,
                                namespace,
                                verb,
                                resource.group(),
                                resource.plural(),
                                resource.subresource(),
                                "")) {
                            allowed.add(namespace + ": " + verb + " " + resource.said());
                        }
                    }
                }
            }
        }
        return allowed;
    }

    private record Resource(String group, String plural, String subresource, boolean namespaced) {
        String said() {
            return plural + (subresource.isEmpty() ? "" : "/" + subresource) + (group.isEmpty() ? "" : "." + group);
        }
    }

    /** All that an API server has. */
    private static List<Resource> resources(KubeApi api) {
        List<Resource> all = new ArrayList<>(resources(api, "/api/v1", ""));
        for (Kube group : object(api, "/apis").list("groups")) {
            String version = String.valueOf(group.text("preferredVersion", "groupVersion"));
            all.addAll(resources(api, "/apis/" + version, String.valueOf(group.text("name"))));
        }
        assertThat(all).hasSizeGreaterThan(60);
        return all;
    }

    private static List<Resource> resources(KubeApi api, String path, String group) {
        return object(api, path).list("resources").stream()
                .map(each -> {
                    String[] name = String.valueOf(each.text("name")).split("/", 2);
                    return new Resource(group, name[0], name.length == 2 ? name[1] : "", each.flag("namespaced"));
                })
                .toList();
    }

    private static Kube object(KubeApi api, String path) {
        return ((Reply.Done) api.get(path)).object();
    }

    private static boolean isAllowed(
            KubeApi api,
            String user,
            String namespace,
            String verb,
            String group,
            String plural,
            String subresource,
            String name) {
        Obj asked = Json.object(
                "spec",
                Json.object(
                        "user",
                        user,
                        "resourceAttributes",
                        Json.object(
                                "namespace", namespace,
                                "verb", verb,
                                "group", group,
                                "resource", plural,
                                "subresource", subresource,
                                "name", name)));
        return api.post(REVIEWS, asked) instanceof Reply.Done done
                && done.object().flag("status", "allowed");
    }
}
