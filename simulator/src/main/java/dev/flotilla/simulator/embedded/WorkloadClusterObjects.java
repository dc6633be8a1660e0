package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The objects of a workload cluster: its nodes, their leases, the pods through which k8sd is reached, and the endpoints
 * of its API.
 */
final class WorkloadClusterObjects {
    static final String SYSTEM = "kube-system";
    static final String LEASES = "kube-node-lease";
    static final String VERSION = "k8sd.io/version";
    static final String PROXY = "k8sd-proxy";
    static final int K8SD_PORT = 2380;
    private static final int LEASE_SECONDS = 40;

    private WorkloadClusterObjects() {}

    static void createObjects(EmbeddedCluster cluster, Instant now) {
        ClusterObjectStore store = cluster.workload().store();
        for (String namespace : List.of("default", SYSTEM, LEASES)) {
            store.put(
                    BuiltInResources.NAMESPACES.named(namespace),
                    ImmutableJson.object("status", ImmutableJson.object("phase", "Active")));
        }
        store.put(
                BuiltInResources.CONFIG_MAPS.named(SYSTEM, "k8sd-proxy-config"),
                ImmutableJson.object("data", ImmutableJson.object("k8sd-port", Integer.toString(K8SD_PORT))));
        StoredObject proxies = store.put(
                BuiltInResources.DAEMON_SETS.named(SYSTEM, PROXY),
                ImmutableJson.object(
                        "spec",
                        ImmutableJson.object(
                                "selector", ImmutableJson.object("matchLabels", ImmutableJson.object("app", PROXY)))));
        for (EmbeddedNode node : cluster.nodes()) {
            store.put(BuiltInResources.NODES.named(node.name()), node(node, now));
            store.put(BuiltInResources.LEASES.named(LEASES, node.name()), lease(node, now));
            store.put(BuiltInResources.PODS.named(SYSTEM, PROXY + "-" + node.name()), proxyPod(node, proxies, now));
        }
        store.put(BuiltInResources.ENDPOINT_SLICES.named("default", "kubernetes"), apiEndpoints(cluster));
    }

    private static JsonObjectReader node(EmbeddedNode node, Instant now) {
        JsonObjectReader.Builder labels = new JsonObjectReader.Builder()
                .put("kubernetes.io/hostname", node.name())
                .put("kubernetes.io/arch", "amd64")
                .put("kubernetes.io/os", "linux");
        labels.put(
                "node-role.kubernetes.io/" + (node.role() == MachineRole.CONTROL_PLANE ? "control-plane" : "worker"),
                "");
        return ImmutableJson.object(
                "metadata",
                        ImmutableJson.object(
                                "labels", labels.build(),
                                "annotations",
                                        KubeObjectTemplates.texts(Map.of(
                                                VERSION,
                                                node.k8sdVersionAnnotation(),
                                                "cluster.x-k8s.io/machine",
                                                node.name(),
                                                "cluster.x-k8s.io/cluster-name",
                                                node.cluster().key().name()))),
                "spec", ImmutableJson.object("providerID", node.providerId()),
                "status",
                        ImmutableJson.object(
                                "addresses",
                                        ImmutableJson.list(
                                                ImmutableJson.object("type", "InternalIP", "address", node.address()),
                                                ImmutableJson.object("type", "Hostname", "address", node.name())),
                                "capacity", ImmutableJson.object("cpu", "4", "memory", "8Gi", "pods", "110"),
                                "allocatable", ImmutableJson.object("cpu", "4", "memory", "8Gi", "pods", "110"),
                                "conditions", ImmutableJson.list(readyCondition(node, now, ImmutableJson.EMPTY)),
                                "nodeInfo", nodeInfo(node)));
    }

    static JsonObjectReader nodeInfo(EmbeddedNode node) {
        return ImmutableJson.object(
                "machineID", node.systemUuid().replace("-", ""),
                "systemUUID", node.systemUuid(),
                "bootID", node.bootId(),
                "kernelVersion", "6.8.0-simulated",
                "osImage", "Ubuntu 24.04 LTS (simulated)",
                "containerRuntimeVersion", "containerd://1.7.27",
                "kubeletVersion", node.kubeletVersion(),
                "kubeProxyVersion", "",
                "operatingSystem", "linux",
                "architecture", "amd64");
    }

    /** The node's Ready condition; the last heartbeat of an unreachable node stays as old as it is. */
    static JsonObjectReader readyCondition(EmbeddedNode node, Instant now, JsonObjectReader before) {
        boolean reachable = node.node().isReachable();
        String status = node.node().isReady() ? "True" : reachable ? "False" : "Unknown";
        boolean flips = !status.equals(ImmutableJson.textAt(before, "status"));
        return ImmutableJson.object(
                "type",
                "Ready",
                "status",
                status,
                "lastHeartbeatTime",
                reachable ? KubeObjectTemplates.time(now) : ImmutableJson.textAt(before, "lastHeartbeatTime"),
                "lastTransitionTime",
                flips ? KubeObjectTemplates.time(now) : ImmutableJson.textAt(before, "lastTransitionTime"),
                "reason",
                switch (status) {
                    case "True" -> "KubeletReady";
                    case "False" -> "KubeletNotReady";
                    default -> "NodeStatusUnknown";
                },
                "message",
                status.equals("True") ? "kubelet is posting ready status" : "");
    }

    static JsonObjectReader lease(EmbeddedNode node, Instant now) {
        return ImmutableJson.object(
                "spec",
                ImmutableJson.object(
                        "holderIdentity", node.name(),
                        "leaseDurationSeconds", LEASE_SECONDS,
                        "renewTime", KubeObjectTemplates.microTime(now)));
    }

    private static JsonObjectReader proxyPod(EmbeddedNode node, StoredObject proxies, Instant now) {
        return ImmutableJson.object(
                "metadata",
                        ImmutableJson.object(
                                "labels", ImmutableJson.object("app", PROXY),
                                "ownerReferences", ImmutableJson.list(KubeObjectTemplates.controller(proxies))),
                "spec",
                        ImmutableJson.object(
                                "nodeName", node.name(),
                                "containers",
                                        ImmutableJson.list(ImmutableJson.object(
                                                "name", PROXY, "image", "simulated/socat:1.8.0.0"))),
                "status",
                        ImmutableJson.object(
                                "phase", "Running",
                                "podIP", node.address(),
                                "conditions",
                                        ImmutableJson.list(ImmutableJson.object(
                                                "type", "Ready",
                                                "status", "True",
                                                "lastTransitionTime", KubeObjectTemplates.time(now)))));
    }

    /** The control-plane nodes that currently serve the API. */
    static JsonObjectReader apiEndpoints(EmbeddedCluster cluster) {
        List<JsonValue> endpoints = new ArrayList<>();
        for (EmbeddedNode node : cluster.nodes()) {
            if (node.role() == MachineRole.CONTROL_PLANE && node.node().isReachable()) {
                endpoints.add(ImmutableJson.object(
                        "addresses", List.of(node.address()), "conditions", ImmutableJson.object("ready", true)));
            }
        }
        return ImmutableJson.object(
                "metadata",
                ImmutableJson.object("labels", ImmutableJson.object("kubernetes.io/service-name", "kubernetes")),
                "addressType",
                "IPv4",
                "endpoints",
                endpoints,
                "ports",
                ImmutableJson.list(ImmutableJson.object("name", "https", "port", 6443, "protocol", "TCP")));
    }
}
