package dev.flotilla.bench.clusterapi;

import dev.flotilla.bench.clusterapi.HookCaller.HookCall;

/** Requests with what Cluster API sends for machines of kubeadm: a new version, and files that stay. */
final class HookRequests {
    static final String NAMESPACE = "fleet";
    static final String VERSION = "v1.36.3";
    static final String DISCOVERY =
            "{\"kind\":\"DiscoveryRequest\",\"apiVersion\":\"hooks.runtime.cluster.x-k8s.io/v1alpha1\"}";

    private static final String OLD_VERSION = "v1.36.1";

    /** A bootstrap description is a few KiB: units, scripts and settings of the registry. */
    private static final String KUBEADM_SPEC = """
            {"clusterConfiguration": {"apiServer": {"extraArgs": [{"name": "audit-log-path", "value": "/var/log/audit.log"}]}},
             "files": [{"path": "/etc/containerd/certs.d/registry.toml", "content": "%1$s"},
                       {"path": "/etc/systemd/system/kubelet.service.d/20-limits.conf", "content": "%1$s"},
                       {"path": "/etc/sysctl.d/90-kubelet.conf", "content": "%1$s"}],
             "joinConfiguration": {"nodeRegistration": {"criSocket": "unix:///var/run/containerd/containerd.sock"}},
             "preKubeadmCommands": ["sysctl --system"]}""".formatted("a line of a file\\n".repeat(60));

    private HookRequests() {}

    private static String object(String kind, String group, String name, String spec) {
        return """
            {"kind": "%s", "apiVersion": "%s/v1beta2", "metadata": {"name": "%s", "namespace": "%s",
              "labels": {"cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/deployment-name": "blue-workers"}},
             "spec": %s}""".formatted(kind, group, name, NAMESPACE, spec);
    }

    private static String machine(String name, String version) {
        return object("Machine", "cluster.x-k8s.io", name, """
            {"clusterName": "blue", "version": "%s",
             "bootstrap": {"configRef": {"apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfig", "name": "%2$s"}},
             "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DevMachine", "name": "%2$s"}}""".formatted(version, name));
    }

    private static String ofMachine(String name, String version) {
        return """
            {"machine": %s, "infrastructureMachine": %s, "bootstrapConfig": %s}""".formatted(
                machine(name, version),
                object("DevMachine", "infrastructure.cluster.x-k8s.io", name, "{\"backend\": {\"inMemory\": {}}}"),
                object("KubeadmConfig", "bootstrap.cluster.x-k8s.io", name, KUBEADM_SPEC));
    }

    private static String ofMachineSet(String name, String version) {
        return """
            {"machineSet": %s, "infrastructureMachineTemplate": %s, "bootstrapConfigTemplate": %s}""".formatted(
                object(
                        "MachineSet",
                        "cluster.x-k8s.io",
                        name,
                        "{\"template\": {\"spec\": {\"clusterName\": \"blue\", \"version\": \"" + version + "\"}}}"),
                object(
                        "DevMachineTemplate",
                        "infrastructure.cluster.x-k8s.io",
                        name,
                        "{\"template\": {\"spec\": {\"backend\": {\"inMemory\": {}}}}}"),
                object(
                        "KubeadmConfigTemplate",
                        "bootstrap.cluster.x-k8s.io",
                        name,
                        "{\"template\": {\"spec\": " + KUBEADM_SPEC + "}}"));
    }

    private static String request(String hook, String rest) {
        return """
            {"kind": "%sRequest", "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1",
             "settings": {"uncovered": "stop", "apply.KubeadmConfig": "files preKubeadmCommands"}, %s}""".formatted(hook, rest);
    }

    static HookCall canUpdateMachine(String name) {
        return new HookCall(
                "canupdatemachine/can-update-machine",
                request(
                        "CanUpdateMachine",
                        "\"current\": " + ofMachine(name, OLD_VERSION) + ", \"desired\": " + ofMachine(name, VERSION)));
    }

    static HookCall canUpdateMachineSet(String name) {
        return new HookCall(
                "canupdatemachineset/can-update-machineset",
                request(
                        "CanUpdateMachineSet",
                        "\"current\": " + ofMachineSet(name, OLD_VERSION) + ", \"desired\": "
                                + ofMachineSet(name, VERSION)));
    }

    static HookCall updateMachine(String name) {
        return new HookCall(
                "updatemachine/update-machine", request("UpdateMachine", "\"desired\": " + ofMachine(name, VERSION)));
    }
}
