package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.JsonPatch;
import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.KubePath;
import dev.flotilla.kube.Reply;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster's Nodes, their leases, and the addresses of its API. */
public final class Nodes {
    private static final String KIND = "nodes";
    private static final String DATASTORE = "/readyz/etcd";

    /** A cluster has half as many at most. */
    private static final int MOST = 10_000;

    private final KubeApi api;

    public Nodes(KubeApi api) {
        this.api = api;
    }

    /** What a list shows. */
    public sealed interface Listed {

        /** All of them. */
        record All(List<NodeFacts> nodes) implements Listed {}

        /** It cannot be told. */
        record Dark(String why) implements Listed {}
    }

    /** A Node as it is now. */
    public Reply node(String name) {
        return api.get(KubePath.global(KIND, name));
    }

    Reply merge(String name, JsonObjectReader body) {
        return api.merge(KubePath.global(KIND, name), body);
    }

    Reply patch(String name, JsonPatch patch) {
        return api.patch(KubePath.global(KIND, name), patch);
    }

    /** Those of the control plane. */
    public Listed members() {
        return list("&labelSelector=" + KubePath.value(NodeFacts.CONTROL_PLANE));
    }

    /** All of them. */
    public Listed all() {
        return list("");
    }

    private Listed list(String selector) {
        List<NodeFacts> nodes = new ArrayList<>();
        String problem = api.each("/api/v1/nodes", selector, MOST, node -> nodes.add(NodeFacts.of(node)));
        return problem == null ? new Listed.All(nodes) : new Listed.Dark(problem);
    }

    /** When a node's lease was renewed; null where that cannot be told. */
    public @Nullable Instant renewed(String name) {
        return api.get(KubePath.of("coordination.k8s.io/v1", "kube-node-lease", "leases", name))
                        instanceof Reply.Done done
                ? done.object().instant("spec", "renewTime")
                : null;
    }

    /** Whether the cluster's API is offered at an address. */
    public boolean offersApiAt(String address) {
        return apiAddresses().contains(address);
    }

    /** Where the cluster's API is served, as its servers say themselves; nowhere where that cannot be told. */
    public Set<String> apiAddresses() {
        Reply reply = api.get(KubePath.of("discovery.k8s.io/v1", "default", "endpointslices") + "?labelSelector="
                + KubePath.value("kubernetes.io/service-name=kubernetes"));
        return reply instanceof Reply.Done done
                ? done.object().list("items").stream()
                        .flatMap(slice -> slice.list("endpoints").stream())
                        .filter(endpoint -> !Boolean.FALSE.equals(ready(endpoint)))
                        .flatMap(endpoint -> endpoint.texts("addresses").stream())
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }

    /** Why the cluster's datastore is not well, as the API server that answers finds it; null where it is. */
    public @Nullable String datastoreProblem() {
        Reply reply = api.probe(DATASTORE);
        // An API server over another store has no such check.
        return reply instanceof Reply.Done || reply.isMissing()
                ? null
                : "the datastore is not well (" + DATASTORE + "): " + reply.problem()
                        + (reply.isForbidden() ? "; apply deploy/node-worker/rbac-workload.yaml" : "");
    }

    private static @Nullable Boolean ready(Kube endpoint) {
        return endpoint.at("conditions", "ready") instanceof JsonValue.JsonBoolean jsonBoolean ? jsonBoolean.value() : null;
    }
}
