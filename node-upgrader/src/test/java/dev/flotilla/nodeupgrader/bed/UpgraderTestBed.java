package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.NodeUpgraderProcess;
import dev.flotilla.nodeupgrader.config.NodeUpgraderConfig;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One real cluster that is management and workload cluster at once, with the roles of {@code deploy/}, the Job controller, and a
 * node whose kubelet is played.
 */
final class UpgraderTestBed implements AutoCloseable {
    static final String JOBS = "/apis/batch/v1/namespaces/flotilla-node-upgrades/jobs";
    static final String PODS = "/api/v1/namespaces/flotilla-node-upgrades/pods";
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:flotilla:flotilla-node-upgrader";
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Pattern KIND = Pattern.compile("^kind: (\\w+)", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("^  name: (\\S+)", Pattern.MULTILINE);
    private static final Pattern NAMESPACE = Pattern.compile("^  namespace: (\\S+)", Pattern.MULTILINE);
    private static final Map<String, String> PATHS = Map.of(
            "Namespace", "/api/v1/namespaces/",
            "ServiceAccount", "/api/v1/namespaces/NAMESPACE/serviceaccounts/",
            "Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/roles/",
            "RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings/",
            "ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles/",
            "ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/");

    final KubeCluster cluster;
    final KubeApiClient admin;
    final Path folder;
    final FakeKubelet kubelet;

    UpgraderTestBed(Path folder) throws Exception {
        this.folder = folder;
        cluster = KubeCluster.start(KubeOptions.apiServer()
                .withControllers("job-controller")
                // The played kubelet has a certificate of its own.
                .withApiServerFlag("--kubelet-certificate-authority="));
        admin = new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(cluster.kubeconfig()))
                        .toClientConfig(null, TIMEOUT),
                8);
        UpgradeObjects.install(cluster);
        applyRoles("management");
        applyRoles("workload");
        cluster.apply("/api/v1/nodes/w-1", "{apiVersion: v1, kind: Node, metadata: {name: w-1}}");
        cluster.apply("/api/v1/namespaces/fleet/secrets/blue-kubeconfig", """
                {apiVersion: v1, kind: Secret, metadata: {name: blue-kubeconfig, namespace: fleet}, data: {value: %s}}""".formatted(Base64.getEncoder()
                .encodeToString(Files.readString(cluster.kubeconfig()).getBytes(StandardCharsets.UTF_8))));
        kubelet = new FakeKubelet(
                admin, "flotilla-node-upgrades", "w-1", Files.createDirectories(folder.resolve("node")));
        setKubeletVersion("v1.36.1");
    }

    private void applyRoles(String where) {
        for (String manifest :
                UpgradeObjects.read("node-upgrader/rbac-" + where + ".yaml").split("---\n", -1)) {
            String path = PATHS.get(find(KIND, manifest)).replace("NAMESPACE", findOrEmpty(NAMESPACE, manifest));
            cluster.apply(path + find(NAME, manifest), manifest);
        }
    }

    private static String find(Pattern pattern, String text) {
        String found = findOrEmpty(pattern, text);
        assertThat(found).as(text).isNotEmpty();
        return found;
    }

    private static String findOrEmpty(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** Starts a node-upgrader with the rights of its ServiceAccount. */
    NodeUpgraderProcess startUpgrader() throws Exception {
        return NodeUpgraderProcess.start(
                NodeUpgraderConfig.forKubeconfig(upgraderKubeconfig(), Duration.ofMillis(100)));
    }

    Path upgraderKubeconfig() {
        return cluster.kubeconfig(SERVICE_ACCOUNT);
    }

    /** Prepares another namespace for Jobs. */
    void allowNamespace(String namespace) {
        cluster.apply("/api/v1/namespaces/" + namespace, """
                {apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {pod-security.kubernetes.io/enforce: privileged}}}""".formatted(namespace));
        cluster.apply("/api/v1/namespaces/" + namespace + "/serviceaccounts/flotilla-node-upgrader", """
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: flotilla-node-upgrader, namespace: %s}}""".formatted(
                        namespace));
        cluster.apply("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/" + namespace, """
                {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: %1$s},
                 roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin},
                 subjects: [{kind: ServiceAccount, name: flotilla-node-upgrader, namespace: %1$s},
                  {apiGroup: rbac.authorization.k8s.io, kind: User, name: 'flotilla:node-upgrader'}]}""".formatted(namespace));
    }

    /** Another machine takes the place of the node, under its name: nothing of an upgrade is on it. */
    void replaceNode() throws IOException {
        kubelet.replaceMachine("other");
        deleteNow("/api/v1/nodes/w-1");
        cluster.apply("/api/v1/nodes/w-1", "{apiVersion: v1, kind: Node, metadata: {name: w-1}}");
        setKubeletVersion("v1.36.1");
    }

    void setKubeletVersion(String version) {
        patchYaml(admin, "/api/v1/nodes/w-1/status", """
                {status: {addresses: [{type: Hostname, address: 127.0.0.1}],
                 daemonEndpoints: {kubeletEndpoint: {Port: %d}}, nodeInfo: {kubeletVersion: %s, architecture: a, bootID: b, containerRuntimeVersion: c,
                 kernelVersion: k, kubeProxyVersion: '', machineID: %s, operatingSystem: linux, osImage: o, systemUUID: %s}}}""".formatted(
                        kubelet.port(), version, kubelet.machineId(), kubelet.machineId()));
    }

    void createPlan(String name, String steps) {
        cluster.apply(UpgradeObjects.FLEET + "upgradeplans/" + name, UpgradeObjects.plan(name, steps));
    }

    void createUpgrade(String name, String spec) {
        cluster.apply(UpgradeObjects.FLEET + "nodeupgrades/" + name, UpgradeObjects.nodeUpgrade(name, spec));
    }

    void abort(String name) {
        cluster.merge(UpgradeObjects.FLEET + "nodeupgrades/" + name, "{\"spec\": {\"phase\": \"Abort\"}}");
    }

    KubeObject upgrade(String name) {
        return read(UpgradeObjects.FLEET + "nodeupgrades/" + name);
    }

    KubeObject job(String name) {
        return read(JOBS + "/" + name);
    }

    /** Deletes a Job, and its pods as the garbage collector would. */
    void deleteJobWithPods(String name) {
        deleteNow(JOBS + "/" + name);
        read(PODS).list("items").stream()
                .filter(pod -> name.equals(pod.label("flotilla.dev/node-upgrade")))
                .forEach(pod -> {
                    patchYaml(admin, PODS + "/" + pod.name(), "{metadata: {finalizers: null}}");
                    deleteNow(PODS + "/" + pod.name());
                });
    }

    void deleteNow(String path) {
        admin.deleteObject(
                path,
                new JsonObjectReader.Builder()
                        .put("apiVersion", "v1")
                        .put("kind", "DeleteOptions")
                        .put("gracePeriodSeconds", 0)
                        .put("propagationPolicy", "Background")
                        .build());
    }

    KubeObject read(String path) {
        return admin.get(path) instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object()
                : new KubeObject(new JsonObjectReader.Builder().build());
    }

    /** Waits until a NodeUpgrade is as expected, and returns it. */
    KubeObject awaitUpgrade(String name, Predicate<KubeObject> expected) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        KubeObject seen = upgrade(name);
        while (!expected.test(seen)) {
            assertThat(System.nanoTime())
                    .as("waiting for "
                            + KubeObject.toJsonText(seen.object("status").json()) + ", its Job "
                            + KubeObject.toJsonText(job(name).object("status").json()) + ", the last log "
                            + kubelet.lastLog())
                    .isLessThan(end);
            pause();
            seen = upgrade(name);
        }
        return seen;
    }

    /** Waits until a Job is suspended and its pods are gone: until then, a container of it can begin its next step. */
    void awaitSuspended(String name) throws InterruptedException {
        awaitUpgrade(
                name,
                seen -> job(name).bool("spec", "suspend")
                        && read(PODS).list("items").stream()
                                .noneMatch(pod -> name.equals(pod.label("batch.kubernetes.io/job-name"))));
    }

    KubeObject awaitPhase(String name, String phase) throws InterruptedException {
        return awaitUpgrade(name, seen -> phase.equals(seen.text("status", "phase")));
    }

    KubeObject awaitEnd(String name) throws InterruptedException {
        return awaitUpgrade(name, seen -> {
            String phase = seen.text("status", "phase");
            return phase != null && !phase.equals("Pending") && !phase.equals("Running");
        });
    }

    private static void pause() throws InterruptedException {
        boolean unused = new CountDownLatch(1).await(POLL.toMillis(), TimeUnit.MILLISECONDS);
    }

    static KubeResponse patchYaml(KubeApiClient api, String path, String yaml) {
        if (YamlReader.read(yaml, DocumentLimits.SPECIFICATION_BYTES) instanceof ParseResult.ParsedDocument document
                && document.value() instanceof JsonObjectReader body) {
            return api.mergePatch(path, body);
        }
        throw new IllegalArgumentException(yaml);
    }

    @Override
    public void close() {
        kubelet.close();
        admin.close();
        cluster.close();
    }
}
