package dev.flotilla.managementwatcher.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A real API server as a management cluster, with the watcher's role as deployed, and the actions of people with
 * kubectl.
 */
public final class ManagementTestBed implements AutoCloseable {
    /** A user with the watcher's role and nothing else. */
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
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int UNAVAILABLE = 503;
    private static final Pattern KIND = Pattern.compile("^kind: (\\w+)", Pattern.MULTILINE);
    private static final Pattern SERVICE = Pattern.compile("clientConfig:\\n +service: \\{.*, path: (\\S+)}");
    private static final Pattern NAME = Pattern.compile("^  name: (\\S+)", Pattern.MULTILINE);

    public final KubeCluster cluster;
    public final KubeApiClient adminClient;

    private ManagementTestBed(KubeCluster cluster, KubeApiClient people) {
        this.cluster = cluster;
        this.adminClient = people;
    }

    public static ManagementTestBed start() throws Exception {
        return use(KubeCluster.start(KubeOptions.apiServer()).withClusterApi());
    }

    /** Uses a cluster that serves the kinds of Cluster API, and closes it in the end. */
    public static ManagementTestBed use(KubeCluster cluster) throws Exception {
        cluster.apply(
                "/apis/rbac.authorization.k8s.io/v1/clusterroles/flotilla-management-watcher",
                parts("rbac.yaml").getFirst());
        ManagementTestBed bed = new ManagementTestBed(cluster, openClient(cluster.kubeconfig()));
        bed.bindRole();
        return bed;
    }

    /** Binds the watcher's role. */
    public void bindRole() {
        cluster.apply(BINDING, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: watcher}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: flotilla-management-watcher}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
                """.formatted(WATCHER));
    }

    /** Removes the binding of the watcher's role. */
    public void unbindRole() {
        cluster.delete(BINDING);
    }

    /** Opens a client with the credentials of a kubeconfig. */
    public static KubeApiClient openClient(Path kubeconfig) throws Exception {
        return new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(kubeconfig))
                        .toClientConfig(null, Duration.ofSeconds(10)),
                4);
    }

    private static List<String> parts(String file) throws Exception {
        return List.of(Files.readString(DEPLOY.resolve(file)).split("---\n", -1));
    }

    /** Returns the first match of a field in a manifest. */
    private static String findField(String manifest, Pattern field) {
        Matcher found = field.matcher(manifest);
        assertThat(found.find()).as(manifest).isTrue();
        return found.group(1);
    }

    private void applyAdmissionObject(String manifest) {
        String plural = findField(manifest, KIND).toLowerCase(Locale.ROOT).replaceFirst("y$", "ie") + "s";
        cluster.apply(ADMISSION + plural + "/" + findField(manifest, NAME), manifest);
    }

    /** Deploys the policy that hides the annotations from the provider's controllers, and waits until it works. */
    public void applyInterceptPolicy() throws Exception {
        parts("intercept.yaml").forEach(this::applyAdmissionObject);
        awaitInterception();
    }

    /**
     * Registers the webhook that does the same, and lets the watcher read what it needs for it.
     *
     * @param url where the webhook answers, without a path
     * @param caBundle the certificate of its authority, PEM
     */
    public void applyInterceptWebhook(String url, String caBundle) throws Exception {
        String ca = Base64.getEncoder().encodeToString(caBundle.getBytes(StandardCharsets.UTF_8));
        String manifest = SERVICE.matcher(parts("intercept-webhook.yaml").getFirst())
                .replaceAll("clientConfig: {url: \"" + url + "$1\", caBundle: \"" + ca + "\"}");
        applyAdmissionObject(manifest);
        String role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/flotilla-intercept";
        cluster.apply(
                role,
                parts("intercept-webhook.yaml").stream()
                        .filter(part -> part.contains("kind: ClusterRole\n"))
                        .findFirst()
                        .orElseThrow());
        cluster.apply(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/flotilla-intercept", """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: flotilla-intercept}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: flotilla-intercept}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
                """.formatted(WATCHER));
    }

    /** Waits until annotations are hidden. */
    public void awaitInterception() {
        applyMachine("probe-of-the-policy", "none");
        long end = System.nanoTime() + TIMEOUT.toNanos();
        do {
            assertThat(System.nanoTime()).as("the policy to be followed").isLessThan(end);
            patchAnnotation("machines", "probe-of-the-policy", KEYS + "to", null);
            patchAnnotation("machines", "probe-of-the-policy", KEYS + "to", "revision=1");
        } while (readAnnotation("machines", "probe-of-the-policy", "flotilla.dev/upgrade-to") == null);
    }

    /** Deploys the policy without its binding. */
    public void applyPolicyWithoutBinding() throws Exception {
        applyAdmissionObject(parts("intercept.yaml").getFirst());
    }

    /** Creates the Deployment of a provider's manager. */
    public void applyProviderManager(String namespace, String provider) {
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

    /** Creates a lease by which managers elect their leader. */
    public void applyLease(String name, String renewed) {
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

    /** Creates a worker with a ready node. */
    public void applyMachine(String name, String cluster) {
        applyMachine(name, cluster, "");
    }

    /** Creates a worker with more metadata, each part with a comma before it. */
    public void applyMachine(String name, String cluster, String metadata) {
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

    /** Creates an owner of workers. */
    public void applyOwner(String plural, String name, String cluster, int replicas, String metadata) {
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

    /** Creates an owner of control-plane machines. */
    public void applyControlPlane(String name, int replicas, String metadata) {
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

    /** Returns the path of an object. */
    public static String path(String plural, String name) {
        return plural.equals("ck8scontrolplanes") ? CONTROL_PLANES + name : CAPI + plural + "/" + name;
    }

    /** Serves both versions of the kinds that a watcher reads, or only the old one. */
    public void serveNewVersion(boolean newest) {
        for (String each : KINDS) {
            JsonPatchBuilder patch = new JsonPatchBuilder().set(newest, "spec", "versions", "0", "served");
            assertThat(adminClient.jsonPatch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + each, patch))
                    .isInstanceOf(KubeResponse.SuccessResponse.class);
        }
    }

    /** Annotates as {@code kubectl annotate --overwrite}; null removes. */
    public void annotate(String plural, String name, String key, @Nullable String value) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        KubeResponse reply = patchAnnotation(plural, name, key, value);
        // In the first seconds after an API server has learned a kind, its policies cannot evaluate such a write.
        while (reply instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == UNAVAILABLE
                && System.nanoTime() < end) {
            reply = patchAnnotation(plural, name, key, value);
        }
        assertThat(reply).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    private KubeResponse patchAnnotation(String plural, String name, String key, @Nullable String value) {
        return patchAnnotation(path(plural, name), key, value);
    }

    /** Annotates the object at a path. */
    public KubeResponse patchAnnotation(String path, String key, @Nullable String value) {
        KubeObject body = SampleObjects.kube(
                "{'metadata': {'annotations': {'%s': %s}}}".formatted(key, value == null ? "null" : "'" + value + "'"));
        return adminClient.mergePatch(path + "?fieldManager=kubectl-annotate", body.json());
    }

    /** Sets the provider's upgrade annotation of a machine as {@code kubectl annotate machine} does. */
    public void setUpgradeTo(String machine, @Nullable String target) {
        annotate("machines", machine, KEYS + "to", target);
    }

    public KubeObject readObject(String plural, String name) {
        KubeResponse reply = adminClient.get(path(plural, name));
        assertThat(reply).as(plural + "/" + name).isInstanceOf(KubeResponse.SuccessResponse.class);
        return ((KubeResponse.SuccessResponse) reply).object();
    }

    public @Nullable String readAnnotation(String plural, String name, String key) {
        return readObject(plural, name).annotation(key);
    }

    /** Waits for a condition. */
    public void await(String field, BooleanSupplier condition) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(field).isLessThan(end);
        }
    }

    /** Returns one of the provider's annotations of a Machine. */
    public @Nullable String readUpgradeAnnotation(String machine, String name) {
        return readAnnotation("machines", machine, KEYS + name);
    }

    /** Applies an annotation as a pipeline does, by server-side apply. */
    public void applyAnnotation(String machine, String key, String value, String manager) {
        KubeObject body = SampleObjects.kube("""
                {'apiVersion': 'cluster.x-k8s.io/v1beta2', 'kind': 'Machine',
                 'metadata': {'name': '%s', 'namespace': 'default', 'annotations': {'%s': '%s'}}}""".formatted(machine, key, value));
        assertThat(adminClient.serverSideApply(
                        path("machines", machine) + "?force=true&fieldManager=" + manager, body.json()))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    /** Returns the Events of an object, each as {@code type reason message}. */
    public List<String> readEvents(String name) {
        KubeResponse reply =
                adminClient.get("/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D" + name);
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
        adminClient.close();
        cluster.close();
    }
}
