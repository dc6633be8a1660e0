package dev.flotilla.e2e.realnode;

import dev.flotilla.testkit.node.KubeadmCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The manifests of a real cluster in its management cluster: Cluster API's objects, and what {@code deploy/} has. */
final class RealNodeObjects {
    /** The names in the roles of {@code deploy/}. */
    static final String NAMESPACE = "fleet";

    static final String CLUSTER = "blue";
    static final Path DEPLOY = Path.of("..", "deploy");

    private RealNodeObjects() {}

    static String read(String file) {
        try {
            return Files.readString(DEPLOY.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String cluster() {
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: blue, namespace: fleet}
                spec:
                  paused: false
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: blue-control-plane}
                """;
    }

    static String kubeconfigSecret(Path kubeconfig) {
        try {
            return """
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: blue-kubeconfig, namespace: fleet, labels: {cluster.x-k8s.io/cluster-name: blue}}
                    type: cluster.x-k8s.io/secret
                    data: {value: %s}
                    """.formatted(Base64.getEncoder().encodeToString(Files.readAllBytes(kubeconfig)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String controlPlane(int replicas) {
        return """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                kind: KubeadmControlPlane
                metadata: {name: blue-control-plane, namespace: fleet, labels: {cluster.x-k8s.io/cluster-name: blue}}
                spec: {replicas: %d, version: %s}
                """.formatted(replicas, KubeadmCluster.FIRST_VERSION);
    }

    static String controlPlaneStatus(int replicas) {
        return """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                kind: KubeadmControlPlane
                metadata: {name: blue-control-plane, namespace: fleet}
                status: {replicas: %1$d, readyReplicas: %1$d, upToDateReplicas: %1$d, version: %2$s}
                """.formatted(replicas, KubeadmCluster.FIRST_VERSION);
    }

    static String machineDeployment(int replicas) {
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {name: blue-workers, namespace: fleet, labels: {cluster.x-k8s.io/cluster-name: blue}}
                spec:
                  clusterName: blue
                  replicas: %d
                  selector: {matchLabels: {pool: blue-workers}}
                  template:
                    spec:
                      clusterName: blue
                      bootstrap: {dataSecretName: none}
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: RealMachine, name: blue-workers}
                """.formatted(replicas);
    }

    static String machineDeploymentStatus(int replicas) {
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {name: blue-workers, namespace: fleet}
                status: {replicas: %1$d, readyReplicas: %1$d, upToDateReplicas: %1$d}
                """.formatted(replicas);
    }

    /**
     * Returns the Machine of a node.
     *
     * @param ownerUid the uid of its KubeadmControlPlane; empty for a worker
     */
    static String machine(String node, String ownerUid) {
        String labels = ownerUid.isEmpty()
                ? "cluster.x-k8s.io/deployment-name: blue-workers, pool: blue-workers"
                : "cluster.x-k8s.io/control-plane: '', cluster.x-k8s.io/control-plane-name: blue-control-plane";
        String owner = ownerUid.isEmpty() ? "[]" : """
                [{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, name: blue-control-plane,
                    uid: %s, controller: true}]""".formatted(ownerUid);
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata:
                  name: %1$s
                  namespace: fleet
                  labels: {cluster.x-k8s.io/cluster-name: blue, %2$s}
                  ownerReferences: %3$s
                spec:
                  clusterName: blue
                  version: %4$s
                  bootstrap:
                    dataSecretName: %1$s
                    configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: %1$s}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: RealMachine, name: %1$s}
                """.formatted(machineOf(node), labels, owner, KubeadmCluster.FIRST_VERSION);
    }

    /** What Cluster API's controller writes of a node. */
    static String machineStatus(String node, String version, boolean ready) {
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: %s, namespace: fleet}
                status:
                  phase: Running
                  nodeRef: {name: %s}
                  nodeInfo: {kubeletVersion: %s, architecture: amd64, systemUUID: ''}
                  conditions:
                    - {type: NodeReady, status: '%s', reason: NodeReady, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}
                """.formatted(machineOf(node), node, version, ready ? "True" : "False");
    }

    static String machineOf(String node) {
        return "blue-" + node;
    }

    /** The shipped plan, with an image that the nodes have, and without checks that cgroup v1 and containers on one kernel fail. */
    static String kubeadmPlan() {
        return read("node-upgrader/plans/kubeadm.yaml")
                .replace("busybox:1.37.0", KubeadmCluster.BUSYBOX)
                .replace(
                        "{name: KUBEADM_FLAGS, value: \"\"}",
                        "{name: KUBEADM_FLAGS, value: --ignore-preflight-errors=all}");
    }

    /** A plan of the same name as the shipped one. */
    static String plan(String namespace, String steps) {
        return """
                apiVersion: flotilla.dev/v1alpha1
                kind: UpgradePlan
                metadata: {name: kubeadm, namespace: %s}
                spec:
                  steps:
                """.formatted(namespace) + steps.indent(4);
    }

    static String task(String name, String selection) {
        return """
                apiVersion: flotilla.dev/v1alpha1
                kind: UpgradeTask
                metadata: {name: %s, namespace: fleet}
                spec: {clusterName: blue, target: {version: %s}, %s}
                """.formatted(name, KubeadmCluster.SECOND_VERSION, selection);
    }
}
