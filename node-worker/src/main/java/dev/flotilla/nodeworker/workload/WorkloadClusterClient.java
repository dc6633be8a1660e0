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

/** A cluster's Nodes, their leases, and the addresses of its API. */
public final class WorkloadClusterClient {
    private static final String KIND = "nodes";
    private static final String DATASTORE = "/readyz/etcd";

    /** A cluster has half as many at most. */
    private static final int MOST = 10_000;

    private final KubeApiClient api;

    public WorkloadClusterClient(KubeApiClient api) {
        this.api = api;
    }

    /** What a list shows. */
    public sealed interface NodeListResult {

        /** All of them. */
        record NodesListed(List<NodeSnapshot> nodes) implements NodeListResult {}

        /** It cannot be told. */
        record NodeListFailed(String reason) implements NodeListResult {}
    }

    /** A Node as it is now. */
    public KubeResponse node(String name) {
        return api.get(KubeApiPath.clusterScopedObject(KIND, name));
    }

    KubeResponse mergePatchNode(String name, JsonObjectReader body) {
        return api.mergePatch(KubeApiPath.clusterScopedObject(KIND, name), body);
    }

    KubeResponse jsonPatchNode(String name, JsonPatchBuilder patch) {
        return api.jsonPatch(KubeApiPath.clusterScopedObject(KIND, name), patch);
    }

    /** Those of the control plane. */
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

    /** When a node's lease was renewed; null where that cannot be told. */
    public @Nullable Instant leaseRenewedAt(String name) {
        return api.get(KubeApiPath.groupObject("coordination.k8s.io/v1", "kube-node-lease", "leases", name))
                        instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().instant("spec", "renewTime")
                : null;
    }

    /** Whether the cluster's API is offered at an address. */
    public boolean servesApiAt(String address) {
        return apiAddresses().contains(address);
    }

    /** Where the cluster's API is served, as its servers say themselves; nowhere where that cannot be told. */
    public Set<String> apiAddresses() {
        KubeResponse reply = api.get(KubeApiPath.groupObject("discovery.k8s.io/v1", "default", "endpointslices")
                + "?labelSelector=" + KubeApiPath.encodeQueryValue("kubernetes.io/service-name=kubernetes"));
        return reply instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().list("items").stream()
                        .flatMap(slice -> slice.list("endpoints").stream())
                        .filter(endpoint -> !Boolean.FALSE.equals(ready(endpoint)))
                        .flatMap(endpoint -> endpoint.texts("addresses").stream())
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }

    /** Why the cluster's datastore is not well, as the API server that answers finds it; null where it is. */
    public @Nullable String datastoreProblem() {
        KubeResponse reply = api.probe(DATASTORE);
        // An API server over another store has no such check.
        return reply instanceof KubeResponse.SuccessResponse || reply.isMissing()
                ? null
                : "the datastore is not well (" + DATASTORE + "): " + reply.problem()
                        + (reply.isForbidden() ? "; apply deploy/node-worker/rbac-workload.yaml" : "");
    }

    private static @Nullable Boolean ready(KubeObject endpoint) {
        return endpoint.valueAt("conditions", "ready") instanceof JsonValue.JsonBoolean jsonBoolean
                ? jsonBoolean.value()
                : null;
    }
}
