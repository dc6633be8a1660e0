package dev.flotilla.testkit.clusterapi;

import java.util.List;

/** A part of Cluster API: a manager with controllers and webhooks, which runs as a process. */
public enum ClusterApiProvider {
    /** Clusters, Machines, MachineSets, MachineDeployments, MachineHealthChecks, and the hooks for worker machines. */
    CORE("cluster-api", List.of("ClusterTopology=true", "RuntimeSDK=true", "InPlaceUpdates=true")),
    /** KubeadmConfigs. */
    BOOTSTRAP("bootstrap-kubeadm", List.of()),
    /** KubeadmControlPlanes, and the hooks for their machines. */
    CONTROL_PLANE("control-plane-kubeadm", List.of("ClusterTopology=true", "InPlaceUpdates=true")),
    /** DevClusters and DevMachines: their machines, with etcd and an API server, exist in this process's memory. */
    INFRASTRUCTURE("infrastructure-docker", List.of());

    private final String program;
    private final List<String> featureGates;

    ClusterApiProvider(String program, List<String> featureGates) {
        this.program = program;
        this.featureGates = featureGates;
    }

    /** The name of its program, and the value of Cluster API's label {@code cluster.x-k8s.io/provider}. */
    String program() {
        return program;
    }

    List<String> featureGates() {
        return featureGates;
    }
}
