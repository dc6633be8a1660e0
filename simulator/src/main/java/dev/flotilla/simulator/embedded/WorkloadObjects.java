package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Store;
import dev.flotilla.simulator.kubernetes.store.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a workload cluster has of itself: its nodes, their leases, the pods through which k8sd is reached, and who serves its API. */
final class WorkloadObjects {
    static final String SYSTEM = "kube-system";
    static final String LEASES = "kube-node-lease";
    static final String VERSION = "k8sd.io/version";
    static final String PROXY = "k8sd-proxy";
    static final int K8SD_PORT = 2380;
    private static final int LEASE_SECONDS = 40;

    private WorkloadObjects() {}

    static void layOut(EmbeddedCluster cluster, Instant now) {
        Store store = cluster.workload().store();
        for (String namespace : List.of("default", SYSTEM, LEASES)) {
            store.put(Resources.NAMESPACES.named(namespace), Json.object("status", Json.object("phase", "Active")));
        }
        store.put(
                Resources.CONFIG_MAPS.named(SYSTEM, "k8sd-proxy-config"),
                Json.object("data", Json.object("k8sd-port", Integer.toString(K8SD_PORT))));
        Stored proxies = store.put(
                Resources.DAEMON_SETS.named(SYSTEM, PROXY),
                Json.object("spec", Json.object("selector", Json.object("matchLabels", Json.object("app", PROXY)))));
        for (EmbeddedNode node : cluster.nodes()) {
            store.put(Resources.NODES.named(node.name()), node(node, now));
            store.put(Resources.LEASES.named(LEASES, node.name()), lease(node, now));
            store.put(Resources.PODS.named(SYSTEM, PROXY + "-" + node.name()), proxy(node, proxies, now));
        }
        store.put(Resources.ENDPOINT_SLICES.named("default", "kubernetes"), serving(cluster));
    }

    private static JsonObjectReader node(EmbeddedNode node, Instant now) {
        JsonObjectReader.Builder labels = new JsonObjectReader.Builder()
                .put("kubernetes.io/hostname", node.name())
                .put("kubernetes.io/arch", "amd64")
                .put("kubernetes.io/os", "linux");
        labels.put("node-role.kubernetes.io/" + (node.role() == MachineRole.CONTROL_PLANE ? "control-plane" : "worker"), "");
        return Json.object(
                "metadata",
                        Json.object(
                                "labels", labels.build(),
                                "annotations",
                                        Shapes.texts(Map.of(
                                                VERSION,
                                                node.k8sdVersion(),
                                                "cluster.x-k8s.io/machine",
                                                node.name(),
                                                "cluster.x-k8s.io/cluster-name",
                                                node.cluster().key().name()))),
                "spec", Json.object("providerID", node.providerId()),
                "status",
                        Json.object(
                                "addresses",
                                        Json.list(
                                                Json.object("type", "InternalIP", "address", node.address()),
                                                Json.object("type", "Hostname", "address", node.name())),
                                "capacity", Json.object("cpu", "4", "memory", "8Gi", "pods", "110"),
                                "allocatable", Json.object("cpu", "4", "memory", "8Gi", "pods", "110"),
                                "conditions", Json.list(ready(node, now, Json.EMPTY)),
                                "nodeInfo", nodeInfo(node)));
    }

    static JsonObjectReader nodeInfo(EmbeddedNode node) {
        return Json.object(
                "machineID", node.systemUuid().replace("-", ""),
                "systemUUID", node.systemUuid(),
                "bootID", node.bootId(),
                "kernelVersion", "6.8.0-simulated",
                "osImage", "Ubuntu 24.04 LTS (simulated)",
                "containerRuntimeVersion", "containerd://1.7.27",
                "kubeletVersion", node.kubelet(),
                "kubeProxyVersion", "",
                "operatingSystem", "linux",
                "architecture", "amd64");
    }

    /** Its condition; where nobody hears from it, its last heartbeat is as old as it is. */
    static JsonObjectReader ready(EmbeddedNode node, Instant now, JsonObjectReader before) {
        boolean reachable = node.node().reachable();
        String status = node.node().ready() ? "True" : reachable ? "False" : "Unknown";
        boolean flips = !status.equals(Json.text(before, "status"));
        return Json.object(
                "type",
                "Ready",
                "status",
                status,
                "lastHeartbeatTime",
                reachable ? Shapes.time(now) : Json.text(before, "lastHeartbeatTime"),
                "lastTransitionTime",
                flips ? Shapes.time(now) : Json.text(before, "lastTransitionTime"),
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
        return Json.object(
                "spec",
                Json.object(
                        "holderIdentity", node.name(),
                        "leaseDurationSeconds", LEASE_SECONDS,
                        "renewTime", Shapes.microTime(now)));
    }

    private static JsonObjectReader proxy(EmbeddedNode node, Stored proxies, Instant now) {
        return Json.object(
                "metadata",
                        Json.object(
                                "labels", Json.object("app", PROXY),
                                "ownerReferences", Json.list(Shapes.controller(proxies))),
                "spec",
                        Json.object(
                                "nodeName", node.name(),
                                "containers",
                                        Json.list(Json.object("name", PROXY, "image", "simulated/socat:1.8.0.0"))),
                "status",
                        Json.object(
                                "phase", "Running",
                                "podIP", node.address(),
                                "conditions",
                                        Json.list(Json.object(
                                                "type", "Ready",
                                                "status", "True",
                                                "lastTransitionTime", Shapes.time(now)))));
    }

    /** The control-plane nodes that serve the API at this instant. */
    static JsonObjectReader serving(EmbeddedCluster cluster) {
        List<JsonValue> endpoints = new ArrayList<>();
        for (EmbeddedNode node : cluster.nodes()) {
            if (node.role() == MachineRole.CONTROL_PLANE && node.node().reachable()) {
                endpoints.add(
                        Json.object("addresses", List.of(node.address()), "conditions", Json.object("ready", true)));
            }
        }
        return Json.object(
                "metadata",
                Json.object("labels", Json.object("kubernetes.io/service-name", "kubernetes")),
                "addressType",
                "IPv4",
                "endpoints",
                endpoints,
                "ports",
                Json.list(Json.object("name", "https", "port", 6443, "protocol", "TCP")));
    }
}
