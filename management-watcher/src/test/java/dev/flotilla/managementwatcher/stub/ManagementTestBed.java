package dev.flotilla.managementwatcher.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A real API server as a management cluster's, with the watcher's role as it is deployed, and what people do with kubectl. */
public final class ManagementTestBed implements AutoCloseable {
    /** Who has the watcher's role and nothing else. */
    public static final String WATCHER = "flotilla:watcher";

    public static final String KEYS = "v1beta2.k8sd.io/in-place-upgrade-";
    private static final Path DEPLOY = Path.of("../deploy/management-watcher");
    private static final String CAPI = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/";
    private static final List<String> KINDS = List.of(
            "clusters.cluster.x-k8s.io",
            "machines.cluster.x-k8s.io",
            "machinesets.cluster.x-k8s.io",
            "machinedeployments.cluster.x-k8s.io",
            "machinepools.cluster.x-k8s.io");
    private static final String CONTROL_PLANES =
            "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default/ck8scontrolplanes/";
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
    private static final String BINDING = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/watcher";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int UNAVAILABLE = 503;
    private static final Pattern KIND = Pattern.compile("^kind: (\\w+)", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("^  name: (\\S+)", Pattern.MULTILINE);

    public final KubeCluster cluster;
    public final KubeApiClient people;

    private ManagementTestBed(KubeCluster cluster, KubeApiClient people) {
        this.cluster = cluster;
        this.people = people;
    }

    public static ManagementTestBed start() throws Exception {
        KubeCluster cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        cluster.apply(
                "/apis/rbac.authorization.k8s.io/v1/clusterroles/flotilla-management-watcher",
                parts("rbac.yaml").getFirst());
        ManagementTestBed bed = new ManagementTestBed(cluster, as(cluster.kubeconfig()));
        bed.bind();
        return bed;
    }

    /** Gives the watcher its role. */
    public void bind() {
        cluster.apply(BINDING, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: watcher}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: flotilla-management-watcher}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
                """.formatted(WATCHER));
    }

    /** Takes its role away from the watcher. */
    public void unbind() {
        cluster.delete(BINDING);
    }

    /** Requests as somebody. */
    public static KubeApiClient as(Path kubeconfig) throws Exception {
        return new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(kubeconfig))
                        .toClientConfig(null, Duration.ofSeconds(10)),
                4);
    }

    private static List<String> parts(String file) throws Exception {
        return List.of(Files.readString(DEPLOY.resolve(file)).split("---\n", -1));
    }

    /** What a manifest of the policies says under a name, its first. */
    private static String said(String manifest, Pattern what) {
        Matcher found = what.matcher(manifest);
        assertThat(found.find()).as(manifest).isTrue();
        return found.group(1);
    }

    private void admission(String manifest) {
        String plural = said(manifest, KIND).toLowerCase(Locale.ROOT).replaceFirst("y$", "ie") + "s";
        cluster.apply(ADMISSION + plural + "/" + said(manifest, NAME), manifest);
    }

    /** Deploys the policy that keeps people's keys from the provider's controllers, and waits until it works. */
    public void intercept() throws Exception {
        parts("intercept.yaml").forEach(this::admission);
        machine("probe-of-the-policy", "none");
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            assertThat(System.nanoTime()).as("the policy to be followed").isLessThan(end);
            merge("machines", "probe-of-the-policy", KEYS + "to", null);
            merge("machines", "probe-of-the-policy", KEYS + "to", "revision=1");
        } while (annotation("machines", "probe-of-the-policy", "flotilla.dev/upgrade-to") == null);
    }

    /** The policy as it is deployed, without its binding. */
    public void policyAlone() throws Exception {
        admission(parts("intercept.yaml").getFirst());
    }

    /** As a provider's manager is deployed. */
    public void controllers(String namespace, String provider) {
        cluster.apply("/api/v1/namespaces/" + namespace, """
                {apiVersion: v1, kind: Namespace, metadata: {name: %s}}
                """.formatted(namespace));
        cluster.apply("/apis/apps/v1/namespaces/" + namespace + "/deployments/controller-manager", """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: controller-manager
                  namespace: %s
                  labels: {cluster.x-k8s.io/provider: %s}
                spec:
                  selector: {matchLabels: {control-plane: controller-manager}}
                  template:
                    metadata: {labels: {control-plane: controller-manager}}
                    spec: {containers: [{name: manager, image: "example.org/manager:1"}]}
                """.formatted(
                        namespace, provider));
    }

    /** A lease by which managers elect their leader. */
    public void lease(String name, String renewed) {
        cluster.apply("/apis/coordination.k8s.io/v1/namespaces/default/leases/" + name, """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: %s}
                spec: {holderIdentity: manager, leaseDurationSeconds: 15, renewTime: "%s"}
                """.formatted(name, renewed));
    }

    public void cluster(String name) {
        apply("clusters", name, "Cluster", "", "paused: false");
    }

    /** A worker with a node that is ready. */
    public void machine(String name, String cluster) {
        machine(name, cluster, "");
    }

    /** The same with more in its metadata, each part with a comma before it. */
    public void machine(String name, String cluster, String metadata) {
        apply("machines", name, "Machine", metadata, """
                clusterName: %s
                  bootstrap: {dataSecretName: none}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: LXCMachine, name: %s}
                """.formatted(cluster, name)
                .strip());
        this.cluster.apply(CAPI + "machines/" + name + "/status", """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: %1$s}
                status:
                  nodeRef: {name: %1$s}
                  nodeInfo: {kubeletVersion: v1.33.0, architecture: amd64, systemUUID: ""}
                  conditions: [{type: NodeReady, status: "True", reason: NodeReady, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]
                """.formatted(name));
    }

    /** What owns workers, with so many of them. */
    public void owner(String plural, String name, String cluster, int replicas, String metadata) {
        String kind = Objects.requireNonNull(Map.of(
                        "machinesets",
                        "MachineSet",
                        "machinepools",
                        "MachinePool",
                        "machinedeployments",
                        "MachineDeployment")
                .get(plural));
        apply(plural, name, kind, metadata, """
                clusterName: %1$s
                  replicas: %2$d
                  selector: {matchLabels: {pool: %3$s}}
                  template:
                    spec:
                      clusterName: %1$s
                      bootstrap: {dataSecretName: none}
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: LXCMachine, name: %3$s}
                """.formatted(cluster, replicas, name)
                .strip());
        this.cluster.apply(CAPI + plural + "/" + name + "/status", """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: %s
                metadata: {name: %s}
                status: {replicas: %3$d, readyReplicas: %3$d, upToDateReplicas: %3$d}
                """.formatted(kind, name, replicas));
    }

    /** What owns the members of a control plane, with so many of them. */
    public void controlPlane(String name, int replicas, String metadata) {
        cluster.apply(CONTROL_PLANES + name, """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                kind: CK8sControlPlane
                metadata: {name: %s%s}
                spec: {version: v1.33.0, replicas: %d, spec: {}}
                """.formatted(name, metadata, replicas));
        cluster.apply(CONTROL_PLANES + name + "/status", """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                kind: CK8sControlPlane
                metadata: {name: %s}
                status: {replicas: %2$d, readyReplicas: %2$d, updatedReplicas: %2$d}
                """.formatted(name, replicas));
    }

    private void apply(String plural, String name, String kind, String metadata, String spec) {
        cluster.apply(CAPI + plural + "/" + name, """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: %s
                metadata: {name: %s%s}
                spec:
                  %s
                """.formatted(kind, name, metadata, spec));
    }

    /** Where an object is. */
    public static String path(String plural, String name) {
        return plural.equals("ck8scontrolplanes") ? CONTROL_PLANES + name : CAPI + plural + "/" + name;
    }

    /** Serves both versions of what a watcher reads, or the old one alone. */
    public void serve(boolean newest) {
        for (String each : KINDS) {
            JsonPatchBuilder patch = new JsonPatchBuilder().set(newest, "spec", "versions", "0", "served");
            assertThat(people.jsonPatch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + each, patch))
                    .isInstanceOf(KubeResponse.SuccessResponse.class);
        }
    }

    /** As {@code kubectl annotate --overwrite}; null removes. */
    public void annotate(String plural, String name, String key, @Nullable String value) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        KubeResponse reply = merge(plural, name, key, value);
        // For the first seconds after an API server has learned of a kind its policies cannot look at such a write.
        while (reply instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == UNAVAILABLE
                && System.nanoTime() < end) {
            reply = merge(plural, name, key, value);
        }
        assertThat(reply).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    private KubeResponse merge(String plural, String name, String key, @Nullable String value) {
        return merge(path(plural, name), key, value);
    }

    /** Annotates the object at a path. */
    public KubeResponse merge(String path, String key, @Nullable String value) {
        KubeObject body = SampleObjects.kube(
                "{'metadata': {'annotations': {'%s': %s}}}".formatted(key, value == null ? "null" : "'" + value + "'"));
        return people.mergePatch(path + "?fieldManager=kubectl-annotate", body.json());
    }

    /** As {@code kubectl annotate machine} with a documented key. */
    public void wish(String machine, @Nullable String option) {
        annotate("machines", machine, KEYS + "to", option);
    }

    public KubeObject read(String plural, String name) {
        KubeResponse reply = people.get(path(plural, name));
        assertThat(reply).as(plural + "/" + name).isInstanceOf(KubeResponse.SuccessResponse.class);
        return ((KubeResponse.SuccessResponse) reply).object();
    }

    public @Nullable String annotation(String plural, String name, String key) {
        return read(plural, name).annotation(key);
    }

    /** Waits until something is so. */
    public void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
        }
    }

    /** The documented annotation of a Machine. */
    public @Nullable String documented(String machine, String name) {
        return annotation("machines", machine, KEYS + name);
    }

    /** As a pipeline that applies what it has, by server-side apply. */
    public void applied(String machine, String key, String value, String manager) {
        KubeObject body = SampleObjects.kube("""
                {'apiVersion': 'cluster.x-k8s.io/v1beta2', 'kind': 'Machine',
                 'metadata': {'name': '%s', 'namespace': 'default', 'annotations': {'%s': '%s'}}}""".formatted(machine, key, value));
        assertThat(people.serverSideApply(
                        path("machines", machine) + "?force=true&fieldManager=" + manager, body.json()))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    /** The Events of an object, each as {@code type reason message}. */
    public List<String> events(String name) {
        KubeResponse reply =
                people.get("/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D" + name);
        assertThat(reply).isInstanceOf(KubeResponse.SuccessResponse.class);
        return ((KubeResponse.SuccessResponse) reply)
                .object().list("items").stream()
                        .map(each -> String.format(
                                Locale.ROOT,
                                "%s %s %s",
                                Objects.requireNonNull(each.text("type")),
                                Objects.requireNonNull(each.text("reason")),
                                Objects.requireNonNull(each.text("message"))))
                        .toList();
    }

    @Override
    public void close() {
        people.close();
        cluster.close();
    }
}
