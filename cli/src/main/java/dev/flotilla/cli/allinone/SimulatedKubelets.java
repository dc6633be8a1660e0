package dev.flotilla.cli.allinone;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes into a workload cluster what the kubelets of its nodes would report. Nothing runs on any node. */
final class SimulatedKubelets implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String LEASES = "coordination.k8s.io";
    private static final int MAX_NODES = 10_000;
    private static final List<String> COMPONENTS =
            List.of("kube-apiserver", "kube-controller-manager", "kube-scheduler");

    private final KubeApiClient workload;

    private SimulatedKubelets(KubeApiClient workload) {
        this.workload = workload;
    }

    /** Opens the cluster that a Secret has a kubeconfig of; null if it cannot be read. */
    static @Nullable SimulatedKubelets open(KubeApiClient management, String namespace, String secretName) {
        KubeResponse secret = management.get(KubeApiPath.coreObject(namespace, "secrets", secretName));
        String encoded = secret instanceof KubeResponse.SuccessResponse success
                ? success.object().text("data", "value")
                : null;
        if (encoded == null) {
            return null;
        }
        try {
            String kubeconfig = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            return new SimulatedKubelets(new KubeApiClient(
                    KubeConnectionConfig.parseKubeconfig(kubeconfig).toClientConfig(null, TIMEOUT), 1));
        } catch (KubeConnectionConfig.InvalidKubeconfigException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether the cluster exists in a provider's memory only: its API server has no leases, which each real kubelet renews. */
    boolean existInMemory() {
        return workload.get("/apis") instanceof KubeResponse.SuccessResponse groups
                && groups.object().list("groups").stream().noneMatch(each -> LEASES.equals(each.text("name")));
    }

    /**
     * Reports all nodes as alive.
     *
     * @param firstVersion the version of a node that has reported none yet; null if it is not known
     */
    void reportAll(Function<KubeObject, @Nullable String> firstVersion) {
        var unused = workload.forEachObject(
                "/api/v1/nodes",
                "",
                MAX_NODES,
                node -> report(node, hasReportedVersion(node) ? null : firstVersion.apply(node)));
    }

    private static boolean hasReportedVersion(KubeObject node) {
        String version = node.text("status", "nodeInfo", "kubeletVersion");
        return version != null && !version.isEmpty();
    }

    /** Reports a node as alive, with another version unless that is null. Returns whether that is written. */
    boolean report(String name, @Nullable String version) {
        return workload.get(path(name)) instanceof KubeResponse.SuccessResponse node && report(node.object(), version);
    }

    private boolean report(KubeObject node, @Nullable String version) {
        if (version != null) {
            COMPONENTS.forEach(component -> updatePod(component, node.name(), version));
        }
        JsonObjectReader reported = object("status", statusOf(node, version));
        KubeResponse written = workload.mergePatch(path(node.name()) + "/status", reported);
        // The API servers of clusters in memory have no subresources.
        return written instanceof KubeResponse.SuccessResponse
                || (written.isMissing()
                        && workload.mergePatch(path(node.name()), reported) instanceof KubeResponse.SuccessResponse);
    }

    /** Gives a static pod the image that kubeadm would give it, if there is such a pod. */
    private void updatePod(String component, String node, String version) {
        String path = KubeApiPath.coreObject("kube-system", "pods", component + "-" + node);
        if (workload.get(path) instanceof KubeResponse.SuccessResponse) {
            JsonObjectReader container = new JsonObjectReader.Builder()
                    .put("name", component)
                    .put("image", "registry.k8s.io/" + component + ":" + version)
                    .build();
            var unused = workload.mergePatch(
                    path,
                    object(
                            "spec",
                            object("containers", new JsonValue.JsonArray(List.of(container), JsonValue.NO_LINE))));
        }
    }

    /** What a kubelet reports now: without a heartbeat nobody believes that the Node is Ready. */
    private static JsonObjectReader statusOf(KubeObject node, @Nullable String version) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        List<JsonValue> conditions = new ArrayList<>();
        for (KubeObject condition : node.list("status", "conditions")) {
            conditions.add(
                    "Ready".equals(condition.text("type"))
                            ? condition.json().toBuilder()
                                    .put("lastHeartbeatTime", now)
                                    .build()
                            : condition.json());
        }
        JsonObjectReader.Builder status = new JsonObjectReader.Builder()
                .put("conditions", new JsonValue.JsonArray(conditions, JsonValue.NO_LINE));
        if (version != null) {
            status.put("nodeInfo", object("kubeletVersion", new JsonValue.JsonString(version, JsonValue.NO_LINE)));
        }
        return status.build();
    }

    private static String path(String node) {
        return KubeApiPath.clusterScopedObject("nodes", node);
    }

    private static JsonObjectReader object(String name, JsonValue value) {
        return new JsonObjectReader.Builder().put(name, value).build();
    }

    @Override
    public void close() {
        workload.close();
    }
}
