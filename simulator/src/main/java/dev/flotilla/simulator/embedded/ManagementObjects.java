package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Store;
import dev.flotilla.simulator.kubernetes.store.Stored;
import dev.flotilla.simulator.node.Releases;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a management cluster has of a workload cluster: Cluster API's objects and two Secrets, as Canonical's providers make them. */
final class ManagementObjects {
    private static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";
    private static final String DEPLOYMENT_NAME = "cluster.x-k8s.io/deployment-name";
    private static final String SET_NAME = "cluster.x-k8s.io/set-name";
    private static final String CONTROL_PLANE = "cluster.x-k8s.io/control-plane";
    private static final String SECRET_TYPE = "cluster.x-k8s.io/secret";
    private static final String HASH = "6d5f7c9b4";

    private final Store store;
    private final EmbeddedCluster cluster;
    private final ClusterPlan plan;
    private final String namespace;
    private final String name;

    ManagementObjects(EmbeddedCluster cluster, ClusterPlan plan) {
        this.store = cluster.management().store();
        this.cluster = cluster;
        this.plan = plan;
        this.namespace = cluster.key().namespace();
        this.name = plan.name();
    }

    void layOut(Instant now) {
        Stored itself = store.put(Resources.CLUSTERS.named(namespace, name), cluster());
        Stored controlPlane =
                store.put(Resources.CONTROL_PLANES.named(namespace, name + "-control-plane"), controlPlane(itself));
        Stored deployment =
                store.put(Resources.MACHINE_DEPLOYMENTS.named(namespace, name + "-workers"), deployment(itself));
        Stored set =
                store.put(Resources.MACHINE_SETS.named(namespace, name + "-workers-" + HASH), machineSet(deployment));
        for (EmbeddedNode node : cluster.nodes()) {
            Stored owner = node.role() == MachineRole.CONTROL_PLANE ? controlPlane : set;
            store.put(
                    Resources.MACHINES.named(namespace, node.name()),
                    machine(node, owner, deployment.ref().name(), now));
        }
        secrets(controlPlane);
        pins();
    }

    private JsonObjectReader cluster() {
        Map<String, String> labels = new TreeMap<>(plan.labels());
        labels.put(CLUSTER_NAME, name);
        return Json.object(
                "metadata", Json.object("labels", Shapes.texts(labels)),
                "spec",
                        Json.object(
                                "controlPlaneRef",
                                        Json.object(
                                                "apiGroup", Resources.CONTROL_PLANES.group(),
                                                "kind", Resources.CONTROL_PLANES.kind(),
                                                "name", name + "-control-plane"),
                                "controlPlaneEndpoint", Json.object("host", "127.0.0.1", "port", 6443)),
                "status",
                        Json.object(
                                "phase",
                                "Provisioned",
                                "initialization",
                                Json.object(
                                        "controlPlaneInitialized", true,
                                        "infrastructureProvisioned", true)));
    }

    private JsonObjectReader owned(Stored owner, Map<String, String> more) {
        Map<String, String> labels = new TreeMap<>(more);
        labels.put(CLUSTER_NAME, name);
        return Json.object("labels", Shapes.texts(labels), "ownerReferences", Json.list(Shapes.controller(owner)));
    }

    private JsonObjectReader controlPlane(Stored itself) {
        int replicas = plan.controlPlanes();
        return Json.object(
                "metadata", owned(itself, Map.of()),
                "spec", Json.object("replicas", replicas, "version", version(), "spec", Json.EMPTY),
                "status", replicas(replicas));
    }

    private JsonObjectReader deployment(Stored itself) {
        return Json.object(
                "metadata", owned(itself, Map.of()),
                "spec", workers(DEPLOYMENT_NAME, name + "-workers"),
                "status", replicas(plan.workers()));
    }

    private JsonObjectReader machineSet(Stored deployment) {
        return Json.object(
                "metadata", owned(deployment, Map.of(DEPLOYMENT_NAME, name + "-workers")),
                "spec", workers(SET_NAME, name + "-workers-" + HASH),
                "status", replicas(plan.workers()));
    }

    private JsonObjectReader workers(String label, String value) {
        return Json.object(
                "clusterName", name,
                "replicas", plan.workers(),
                "selector", Json.object("matchLabels", Json.object(CLUSTER_NAME, name, label, value)),
                "template",
                        Json.object(
                                "spec",
                                Json.object(
                                        "clusterName", name,
                                        "version", version(),
                                        "bootstrap", bootstrap("CK8sConfigTemplate", name),
                                        "infrastructureRef", infrastructure("SimulatedMachineTemplate", name))));
    }

    private static JsonObjectReader replicas(int count) {
        return Json.object(
                "replicas", count, "readyReplicas", count, "availableReplicas", count, "upToDateReplicas", count);
    }

    private String version() {
        return Releases.version(plan.revision());
    }

    private JsonObjectReader machine(EmbeddedNode node, Stored owner, String deployment, Instant now) {
        Map<String, String> labels = new TreeMap<>(plan.labelsOf(node.name()));
        labels.putAll(
                node.role() == MachineRole.CONTROL_PLANE
                        ? Map.of(
                                CONTROL_PLANE,
                                "",
                                "cluster.x-k8s.io/control-plane-name",
                                owner.ref().name())
                        : Map.of(
                                DEPLOYMENT_NAME,
                                deployment,
                                SET_NAME,
                                owner.ref().name()));
        return Json.object(
                "metadata", Json.with(owned(owner, labels), List.of("machine.cluster.x-k8s.io"), "finalizers"),
                "spec",
                        Json.object(
                                "clusterName", name,
                                "version", version(),
                                "providerID", node.providerId(),
                                "bootstrap", bootstrap("CK8sConfig", node.name()),
                                "infrastructureRef", infrastructure("SimulatedMachine", node.name())),
                "status", status(node, now));
    }

    private static JsonObjectReader bootstrap(String kind, String name) {
        return Json.object("configRef", reference("bootstrap", kind, name));
    }

    private static JsonObjectReader infrastructure(String kind, String name) {
        return reference("infrastructure", kind, name);
    }

    private static JsonObjectReader reference(String provider, String kind, String name) {
        return Json.object("apiGroup", provider + ".cluster.x-k8s.io", "kind", kind, "name", name);
    }

    /** What the management cluster sees of the node. */
    static JsonObjectReader status(EmbeddedNode node, Instant now) {
        boolean ready = node.node().ready();
        String since = Shapes.time(now);
        return Json.object(
                "phase", "Running",
                "nodeRef", Json.object("name", node.name()),
                "addresses", Json.list(Json.object("type", "InternalIP", "address", node.address())),
                "initialization", Json.object("infrastructureProvisioned", true, "bootstrapDataSecretCreated", true),
                "conditions",
                        Json.list(
                                Shapes.condition("Ready", ready, ready ? "Ready" : "NotReady", since),
                                Shapes.condition("NodeReady", ready, ready ? "NodeReady" : "NodeNotReady", since)),
                "nodeInfo", WorkloadObjects.nodeInfo(node));
    }

    private void secrets(Stored controlPlane) {
        JsonObjectReader metadata = owned(controlPlane, Map.of());
        store.put(
                Resources.SECRETS.named(namespace, name + "-kubeconfig"),
                Json.object(
                        "metadata", metadata,
                        "type", SECRET_TYPE,
                        "data",
                                Json.object(
                                        "value",
                                        Shapes.base64(cluster.workload().kubeconfig()))));
        JsonObjectReader.Builder tokens = new JsonObjectReader.Builder().put("value", Shapes.base64(Ids.uuid("capi/" + name)));
        for (EmbeddedNode node : cluster.nodes()) {
            tokens.put("node-token-" + node.name(), Shapes.base64(node.token()));
        }
        store.put(
                Resources.SECRETS.named(namespace, name + "-token"),
                Json.object("metadata", metadata, "type", SECRET_TYPE, "data", tokens.build()));
    }

    /** As whoever installs a worker makes it. */
    private void pins() {
        store.put(
                Resources.CONFIG_MAPS.named(namespace, name + MetBefore.SUFFIX),
                Json.object("metadata", Json.object("labels", Json.object("cluster.x-k8s.io/cluster-name", name))));
    }
}
