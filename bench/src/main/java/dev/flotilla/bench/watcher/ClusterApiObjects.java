package dev.flotilla.bench.watcher;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.Objects;

/** Cluster API objects with all fields that its controllers write. */
final class ClusterApiObjects {
    private static final String CONDITION = """
            {"type": "%1$s", "status": "True", "reason": "%1$s", "message": "as it should be",
             "lastTransitionTime": "2026-01-01T00:00:00Z"}""";

    private ClusterApiObjects() {}

    static JsonObjectReader cluster(String namespace) {
        return read("""
            {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
             "metadata": {"namespace": "%s", "name": "blue"}, "spec": {"paused": false}}""".formatted(namespace));
    }

    static JsonObjectReader machine(String namespace, String name) {
        return read("""
            {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
             "metadata": {"namespace": "%1$s", "name": "%2$s",
               "labels": {"cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/deployment-name": "blue-workers",
                 "cluster.x-k8s.io/set-name": "blue-workers-7f9c4", "machine-template-hash": "7f9c4", "topology.example.org/zone": "a",
                 "topology.example.org/rack": "r17"},
               "annotations": {"v1beta2.k8sd.io/in-place-upgrade-release": "channel=1.32-classic/stable",
                 "cluster.x-k8s.io/cloned-from-name": "blue-workers", "machine.example.org/serial": "0123456789abcdef"},
               "finalizers": ["machine.cluster.x-k8s.io"]},
             "spec": {"clusterName": "blue", "version": "v1.32.1", "providerID": "lxc:///fleet/%2$s",
               "bootstrap": {"dataSecretName": "%2$s-bootstrap"},
               "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "LXCMachine", "name": "%2$s"}}}""".formatted(namespace, name));
    }

    static JsonObjectReader status(String name) {
        String conditions = String.join(
                ",",
                CONDITION.formatted("NodeReady"),
                CONDITION.formatted("Ready"),
                CONDITION.formatted("Available"),
                CONDITION.formatted("BootstrapConfigReady"),
                CONDITION.formatted("InfrastructureReady"),
                CONDITION.formatted("NodeHealthy"));
        return read("""
            {"status": {"phase": "Running", "nodeRef": {"name": "%1$s"},
               "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}, {"type": "Hostname", "address": "%1$s"}],
               "nodeInfo": {"machineID": "%1$s", "systemUUID": "system-%1$s", "bootID": "boot-%1$s", "kernelVersion": "6.8.0",
                 "osImage": "Ubuntu 24.04 LTS", "containerRuntimeVersion": "containerd://1.7.27", "kubeletVersion": "v1.32.1",
                 "kubeProxyVersion": "", "operatingSystem": "linux", "architecture": "amd64"},
               "conditions": [%2$s]}}""".formatted(name, conditions));
    }

    private static JsonObjectReader read(String json) {
        return Objects.requireNonNull(KubeObject.parse(json), json).json();
    }
}
