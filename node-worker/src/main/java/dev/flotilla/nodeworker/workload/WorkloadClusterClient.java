package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a workload cluster's Nodes, their leases, and the addresses of its API. */
public final class WorkloadClusterClient {
    private static final String KIND = "nodes";
    private static final String LEASES = "coordination.k8s.io";
    private static final String ENDPOINT_SLICES = "discovery.k8s.io";
    private static final String DATASTORE = "/readyz/etcd";

    /** Most Nodes in a list: twice as many as Kubernetes supports in a cluster. */
    private static final int MOST = 10_000;

    private final KubeApiClient api;

    public WorkloadClusterClient(KubeApiClient api) {
        this.api = api;
    }

    /** Result of listing Nodes. */
    public sealed interface NodeListResult {

        /** All of them. */
        record NodesListed(List<NodeSnapshot> nodes) implements NodeListResult {}

        /** The Nodes could not be listed. */
        record NodeListFailed(String reason) implements NodeListResult {}
    }

    /** Reads a Node. */
    public KubeResponse node(String name) {
        return api.get(KubeApiPath.clusterScopedObject(KIND, name));
    }

    KubeResponse mergePatchNode(String name, JsonObjectReader body) {
        return api.mergePatch(KubeApiPath.clusterScopedObject(KIND, name), body);
    }

    KubeResponse jsonPatchNode(String name, JsonPatchBuilder patch) {
        return api.jsonPatch(KubeApiPath.clusterScopedObject(KIND, name), patch);
    }

    /** Lists the Nodes of the control plane. */
    public NodeListResult listControlPlaneNodes() {
        return list("&labelSelector=" + KubeApiPath.encodeQueryValue(NodeSnapshot.CONTROL_PLANE));
    }

    /** All of them. */
    public NodeListResult listNodes() {
        return list("");
    }

    private NodeListResult list(String selector) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        String problem = api.forEachObject("/api/v1/nodes", selector, MOST, node -> nodes.add(NodeSnapshot.of(node)));
        return problem == null ? new NodeListResult.NodesListed(nodes) : new NodeListResult.NodeListFailed(problem);
    }

    /**
     * Returns when a node's kubelet has last shown that it is alive: by its lease, or by the node's status where the API server has no
     * leases, as that of a cluster that exists in memory; null if unknown.
     */
    public @Nullable Instant aliveAt(NodeSnapshot node) {
        KubeResponse reply = api.get(KubeApiPath.groupObject(LEASES + "/v1", "kube-node-lease", "leases", node.name()));
        if (reply instanceof KubeResponse.SuccessResponse successResponse) {
            return successResponse.object().instant("spec", "renewTime");
        }
        return hasNoGroup(LEASES) ? node.heartbeat() : null;
    }

    /**
     * Whether the API servers say at which addresses they serve. Each real one does; that of a cluster that exists in memory does
     * not.
     */
    public boolean showsApiAddresses() {
        return !hasNoGroup(ENDPOINT_SLICES);
    }

    /** Whether the API server lists its groups, and not that one. */
    private boolean hasNoGroup(String group) {
        return api.get("/apis") instanceof KubeResponse.SuccessResponse groups
                && groups.object().list("groups").stream().noneMatch(each -> group.equals(each.text("name")));
    }

    /** Whether the cluster's API is served at an address. */
    public boolean servesApiAt(String address) {
        return apiAddresses().contains(address);
    }

    /** Returns the addresses at which the API servers say that they serve; empty if unknown. */
    public Set<String> apiAddresses() {
        KubeResponse reply = api.get(KubeApiPath.groupObject(ENDPOINT_SLICES + "/v1", "default", "endpointslices")
                + "?labelSelector=" + KubeApiPath.encodeQueryValue("kubernetes.io/service-name=kubernetes"));
        return reply instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().list("items").stream()
                        .flatMap(slice -> slice.list("endpoints").stream())
                        .filter(endpoint -> !Boolean.FALSE.equals(ready(endpoint)))
                        .flatMap(endpoint -> endpoint.texts("addresses").stream())
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }

    /** Returns the version of the API server that responds; null if unknown. */
    public @Nullable String apiVersion() {
        return api.get("/version") instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().text("gitVersion")
                : null;
    }

    /** Returns why the datastore is not healthy, according to the API server that responds; null if it is. */
    public @Nullable String datastoreProblem() {
        KubeResponse reply = api.probe(DATASTORE);
        // An API server with another datastore has no such check.
        return reply instanceof KubeResponse.SuccessResponse || reply.isMissing()
                ? null
                : "the datastore is not healthy (" + DATASTORE + "): " + reply.problem()
                        + (reply.isForbidden() ? "; apply deploy/node-worker/rbac-workload.yaml" : "");
    }

    private static @Nullable Boolean ready(KubeObject endpoint) {
        return endpoint.valueAt("conditions", "ready") instanceof JsonValue.JsonBoolean jsonBoolean
                ? jsonBoolean.value()
                : null;
    }
}
