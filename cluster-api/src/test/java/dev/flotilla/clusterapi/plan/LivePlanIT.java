package dev.flotilla.clusterapi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Plans from a real API server, with exactly the documented rights. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class LivePlanIT {
    private static final Path EXAMPLES = Path.of("../examples/cluster-api/plan");
    private static final String USER = "planner";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final Map<String, List<String>> MORE_KINDS = Map.of(
            "bootstrap.cluster.x-k8s.io", List.of("KubeadmConfig", "KubeadmConfigTemplate", "RKE2ConfigTemplate"),
            "infrastructure.cluster.x-k8s.io", List.of("DevMachine", "DevMachineTemplate"),
            "runtime.cluster.x-k8s.io", List.of("ExtensionConfig"));

    /** As in a management cluster of Cluster API 1.12, where other providers may not have the new version yet. */
    private static final Map<String, List<String>> VERSIONS = Map.of(
            "RKE2ConfigTemplate", List.of("v1beta1"),
            "KubeadmConfig", List.of("v1beta1", "v1beta2"),
            "KubeadmConfigTemplate", List.of("v1beta1", "v1beta2"));

    private static KubeCluster cluster;
    private static KubeApiClient planner;

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        MORE_KINDS.forEach((group, kinds) -> kinds.forEach(kind -> define(group, kind)));
        cluster.apply("/api/v1/namespaces/fleet", "{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
        cluster.apply(RBAC + "clusterroles/flotilla-cluster-api-plan", Files.readString(EXAMPLES.resolve("rbac.yaml")));
        cluster.apply(RBAC + "clusterrolebindings/planner", """
                {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: planner},
                 roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: flotilla-cluster-api-plan},
                 subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: planner}]}""");
        for (KubeObject object : read("cluster.yaml")) {
            cluster.apply(pathOf(object), KubeObject.toJsonText(object.json()));
        }
        planner = KubeApiClient.open(cluster.kubeconfig(USER), Duration.ofSeconds(10), 1, System::nanoTime);
    }

    @AfterAll
    static void stop() {
        planner.close();
        cluster.close();
    }

    private static void define(String group, String kind) {
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        boolean isNamespaced = !kind.equals("ExtensionConfig");
        List<String> versions = VERSIONS.getOrDefault(kind, List.of("v1beta2"));
        String described = versions.stream()
                .map(version -> """
                        {name: %s, served: true, storage: %s,
                         schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}""".formatted(version, version.equals(versions.getLast())))
                .collect(Collectors.joining(", "));
        cluster.apply("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural + "." + group, """
                {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: %1$s.%2$s},
                 spec: {group: %2$s, scope: %4$s, names: {kind: %3$s, plural: %1$s}, versions: [%5$s]}}""".formatted(
                        plural, group, kind, isNamespaced ? "Namespaced" : "Cluster", described));
        versions.forEach(version -> cluster.awaitServed("/apis/" + group + "/" + version + "/" + plural));
    }

    private static String pathOf(KubeObject object) {
        return "/apis/" + object.text("apiVersion") + "/"
                + (object.namespace().isEmpty() ? "" : "namespaces/" + object.namespace() + "/")
                + String.valueOf(object.text("kind")).toLowerCase(Locale.ROOT) + "s/" + object.name();
    }

    private static List<KubeObject> read(String file) throws Exception {
        return ManifestText.read(file, Files.readString(EXAMPLES.resolve(file))).objects();
    }

    private static PlanResult plan(String change) throws Exception {
        LiveClusterReader.LiveObjects live = LiveClusterReader.read(planner, "fleet", "blue", read(change));
        assertThat(live.problems()).isEmpty();
        return InPlacePlanner.plan(
                new PlanInput(live.objects(), read(change), "fleet/blue", CoverageTable.DEFAULT, true, Instant.EPOCH));
    }

    @Test
    void plansTheSameAsFromFiles() throws Exception {
        for (String change : List.of("version.yaml", "files.yaml")) {
            InPlacePlan fromFiles = ((PlanResult.Planned) InPlacePlanner.plan(new PlanInput(
                            read("cluster.yaml"), read(change), null, CoverageTable.DEFAULT, false, Instant.EPOCH)))
                    .plan();
            assertThat(plan(change)).isEqualTo(new PlanResult.Planned(fromFiles));
        }
    }

    @Test
    void readsWorkersOfAnotherBootstrapProvider() throws Exception {
        List<KubeObject> objects = ManifestText.read("rke2.yaml", """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: rke2, namespace: fleet},
                 spec: {clusterName: blue, selector: {}, template: {spec: {clusterName: blue, version: v1.35.0,
                   bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: RKE2ConfigTemplate, name: rke2}},
                   infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: blue-md}}}}}
                ---
                {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: RKE2ConfigTemplate, metadata: {name: rke2, namespace: fleet},
                 spec: {template: {spec: {agentConfig: {version: v1.35.0}}}}}
                """).objects();
        for (KubeObject object : objects) {
            cluster.apply(pathOf(object), KubeObject.toJsonText(object.json()));
        }
        LiveClusterReader.LiveObjects live = LiveClusterReader.read(planner, "fleet", "blue", objects);
        assertThat(live.problems()).isEmpty();
        assertThat(live.objects())
                .extracting(each -> each.text("kind") + " " + each.text("apiVersion"))
                .contains(
                        "RKE2ConfigTemplate bootstrap.cluster.x-k8s.io/v1beta1",
                        "KubeadmConfigTemplate bootstrap.cluster.x-k8s.io/v1beta2");
        objects.forEach(object -> cluster.delete(pathOf(object)));
    }

    /** A reference is changed by its name alone; its template exists already. */
    @Test
    void readsTheTemplateThatAPartialChangeRefersTo() throws Exception {
        KubeObject template = ManifestText.read("template.yaml", """
                {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevMachineTemplate, metadata: {name: next, namespace: fleet},
                 spec: {template: {spec: {backend: {inMemory: {vm: {provisioning: {startupDuration: 3s}}}}}}}}""").objects().getFirst();
        cluster.apply(pathOf(template), KubeObject.toJsonText(template.json()));
        List<KubeObject> changes = ManifestText.read("change.yaml", """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: blue-md},
                 spec: {template: {spec: {infrastructureRef: {name: next}}}}}""").objects();
        LiveClusterReader.LiveObjects live = LiveClusterReader.read(planner, "fleet", "blue", changes);
        assertThat(InPlacePlanner.plan(new PlanInput(
                        live.objects(), changes, "fleet/blue", CoverageTable.DEFAULT, true, Instant.EPOCH)))
                .isInstanceOfSatisfying(
                        PlanResult.Planned.class,
                        planned -> assertThat(planned.plan().replaced()).isEqualTo(2));
        cluster.delete(pathOf(template));
    }

    @Test
    void namesAClusterThatDoesNotExist() {
        LiveClusterReader.LiveObjects live = LiveClusterReader.read(planner, "fleet", "red", List.of());
        assertThat(live.isMissing()).isTrue();
        assertThat(live.problems()).singleElement().asString().startsWith("there is no cluster fleet/red at ");
    }

    @Test
    void namesWhatTheUserMayNotRead() throws Exception {
        try (KubeApiClient stranger =
                KubeApiClient.open(cluster.kubeconfig("stranger"), Duration.ofSeconds(10), 1, System::nanoTime)) {
            LiveClusterReader.LiveObjects live = LiveClusterReader.read(stranger, "fleet", "blue", List.of());
            assertThat(live.problems()).singleElement().asString().startsWith("cluster fleet/blue cannot be read: 403");
        }
    }
}
