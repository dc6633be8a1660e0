package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.node.SnapReleases;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects of a workload cluster in its management cluster: Cluster API's objects and two Secrets, as Canonical's
 * providers create them.
 */
final class ManagementClusterObjects {
    private static final String SET_NAME = "cluster.x-k8s.io/set-name";
    private static final String SECRET_TYPE = "cluster.x-k8s.io/secret";
    private static final String HASH = "6d5f7c9b4";

    private final ClusterObjectStore store;
    private final EmbeddedCluster cluster;
    private final WorkloadClusterSpec spec;
    private final String namespace;
    private final String name;

    ManagementClusterObjects(EmbeddedCluster cluster, WorkloadClusterSpec plan) {
        this.store = cluster.management().store();
        this.cluster = cluster;
        this.spec = plan;
        this.namespace = cluster.key().namespace();
        this.name = plan.name();
    }

    void createObjects(Instant now) {
        StoredObject itself = store.put(BuiltInResources.CLUSTERS.named(namespace, name), cluster());
        StoredObject controlPlane = store.put(
                BuiltInResources.CONTROL_PLANES.named(namespace, name + "-control-plane"), controlPlane(itself));
        StoredObject deployment =
                store.put(BuiltInResources.MACHINE_DEPLOYMENTS.named(namespace, name + "-workers"), deployment(itself));
        StoredObject set = store.put(
                BuiltInResources.MACHINE_SETS.named(namespace, name + "-workers-" + HASH), machineSet(deployment));
        for (EmbeddedNode node : cluster.nodes()) {
            StoredObject owner = node.role() == MachineRole.CONTROL_PLANE ? controlPlane : set;
            store.put(
                    BuiltInResources.MACHINES.named(namespace, node.name()),
                    machine(node, owner, deployment.ref().name(), now));
        }
        createSecrets(controlPlane);
        createPinConfigMap();
    }

    private JsonObjectReader cluster() {
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.put(LabelKeys.CLUSTER_NAME, name);
        return ImmutableJson.object(
                "metadata", ImmutableJson.object("labels", KubeObjectTemplates.texts(labels)),
                "spec",
                        ImmutableJson.object(
                                "controlPlaneRef",
                                        ImmutableJson.object(
                                                "apiGroup", BuiltInResources.CONTROL_PLANES.group(),
                                                "kind", BuiltInResources.CONTROL_PLANES.kind(),
                                                "name", name + "-control-plane"),
                                "controlPlaneEndpoint", ImmutableJson.object("host", "127.0.0.1", "port", 6443)),
                "status",
                        ImmutableJson.object(
                                "phase",
                                "Provisioned",
                                "initialization",
                                ImmutableJson.object(
                                        "controlPlaneInitialized", true,
                                        "infrastructureProvisioned", true)));
    }

    private JsonObjectReader owned(StoredObject owner, Map<String, String> more) {
        Map<String, String> labels = new TreeMap<>(more);
        labels.put(LabelKeys.CLUSTER_NAME, name);
        return ImmutableJson.object(
                "labels",
                KubeObjectTemplates.texts(labels),
                "ownerReferences",
                ImmutableJson.list(KubeObjectTemplates.controller(owner)));
    }

    private JsonObjectReader controlPlane(StoredObject itself) {
        int replicas = spec.controlPlanes();
        return ImmutableJson.object(
                "metadata", owned(itself, Map.of()),
                "spec", ImmutableJson.object("replicas", replicas, "version", version(), "spec", ImmutableJson.EMPTY),
                "status", replicas(replicas));
    }

    private JsonObjectReader deployment(StoredObject itself) {
        return ImmutableJson.object(
                "metadata", owned(itself, Map.of()),
                "spec", workers(LabelKeys.DEPLOYMENT_NAME, name + "-workers"),
                "status", replicas(spec.workers()));
    }

    private JsonObjectReader machineSet(StoredObject deployment) {
        return ImmutableJson.object(
                "metadata", owned(deployment, Map.of(LabelKeys.DEPLOYMENT_NAME, name + "-workers")),
                "spec", workers(SET_NAME, name + "-workers-" + HASH),
                "status", replicas(spec.workers()));
    }

    private JsonObjectReader workers(String label, String value) {
        return ImmutableJson.object(
                "clusterName", name,
                "replicas", spec.workers(),
                "selector",
                        ImmutableJson.object(
                                "matchLabels", ImmutableJson.object(LabelKeys.CLUSTER_NAME, name, label, value)),
                "template",
                        ImmutableJson.object(
                                "spec",
                                ImmutableJson.object(
                                        "clusterName", name,
                                        "version", version(),
                                        "bootstrap", bootstrap("CK8sConfigTemplate", name),
                                        "infrastructureRef", infrastructure("SimulatedMachineTemplate", name))));
    }

    private static JsonObjectReader replicas(int count) {
        return ImmutableJson.object(
                "replicas", count, "readyReplicas", count, "availableReplicas", count, "upToDateReplicas", count);
    }

    private String version() {
        return SnapReleases.version(spec.revision());
    }

    private JsonObjectReader machine(EmbeddedNode node, StoredObject owner, String deployment, Instant now) {
        Map<String, String> labels = new TreeMap<>(spec.labelsOf(node.name()));
        labels.putAll(
                node.role() == MachineRole.CONTROL_PLANE
                        ? Map.of(
                                LabelKeys.CONTROL_PLANE,
                                "",
                                "cluster.x-k8s.io/control-plane-name",
                                owner.ref().name())
                        : Map.of(
                                LabelKeys.DEPLOYMENT_NAME,
                                deployment,
                                SET_NAME,
                                owner.ref().name()));
        return ImmutableJson.object(
                "metadata", ImmutableJson.with(owned(owner, labels), List.of("machine.cluster.x-k8s.io"), "finalizers"),
                "spec",
                        ImmutableJson.object(
                                "clusterName", name,
                                "version", version(),
                                "providerID", node.providerId(),
                                "bootstrap", bootstrap("CK8sConfig", node.name()),
                                "infrastructureRef", infrastructure("SimulatedMachine", node.name())),
                "status", status(node, now));
    }

    private static JsonObjectReader bootstrap(String kind, String name) {
        return ImmutableJson.object("configRef", reference("bootstrap", kind, name));
    }

    private static JsonObjectReader infrastructure(String kind, String name) {
        return reference("infrastructure", kind, name);
    }

    private static JsonObjectReader reference(String provider, String kind, String name) {
        return ImmutableJson.object("apiGroup", provider + ".cluster.x-k8s.io", "kind", kind, "name", name);
    }

    /** The Machine's status, as the management cluster observes the node. */
    static JsonObjectReader status(EmbeddedNode node, Instant now) {
        boolean ready = node.node().isReady();
        String since = KubeObjectTemplates.time(now);
        return ImmutableJson.object(
                "phase", "Running",
                "nodeRef", ImmutableJson.object("name", node.name()),
                "addresses", ImmutableJson.list(ImmutableJson.object("type", "InternalIP", "address", node.address())),
                "initialization",
                        ImmutableJson.object("infrastructureProvisioned", true, "bootstrapDataSecretCreated", true),
                "conditions",
                        ImmutableJson.list(
                                KubeObjectTemplates.condition("Ready", ready, ready ? "Ready" : "NotReady", since),
                                KubeObjectTemplates.condition(
                                        "NodeReady", ready, ready ? "NodeReady" : "NodeNotReady", since)),
                "nodeInfo", WorkloadClusterObjects.nodeInfo(node));
    }

    private void createSecrets(StoredObject controlPlane) {
        JsonObjectReader metadata = owned(controlPlane, Map.of());
        store.put(
                BuiltInResources.SECRETS.named(namespace, name + "-kubeconfig"),
                ImmutableJson.object(
                        "metadata", metadata,
                        "type", SECRET_TYPE,
                        "data",
                                ImmutableJson.object(
                                        "value",
                                        KubeObjectTemplates.base64(
                                                cluster.workload().kubeconfig()))));
        JsonObjectReader.Builder tokens = new JsonObjectReader.Builder()
                .put("value", KubeObjectTemplates.base64(StableIdGenerator.stableUuid("capi/" + name)));
        for (EmbeddedNode node : cluster.nodes()) {
            tokens.put("node-token-" + node.name(), KubeObjectTemplates.base64(node.token()));
        }
        store.put(
                BuiltInResources.SECRETS.named(namespace, name + "-token"),
                ImmutableJson.object("metadata", metadata, "type", SECRET_TYPE, "data", tokens.build()));
    }

    /** Creates the ConfigMap for certificate pins, as the installation of a worker does. */
    private void createPinConfigMap() {
        store.put(
                BuiltInResources.CONFIG_MAPS.named(namespace, name + PrePinnedCertificates.SUFFIX),
                ImmutableJson.object(
                        "metadata",
                        ImmutableJson.object("labels", ImmutableJson.object(LabelKeys.CLUSTER_NAME, name))));
    }
}
