package dev.flotilla.cli;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.testkit.kube.KubeCluster;

/** Edits of the owners of a cluster's machines, as people make them. */
record ClusterApiEdits(KubeCluster management) {
    private static final String CORE = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/";
    private static final String CONTROL_PLANES =
            "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmcontrolplanes/";
    private static final String BOOTSTRAP = "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/";

    /** Lets Cluster API move so many workers of a cluster at once. */
    void allowUnavailable(String cluster, int workers) {
        management.merge(
                CORE + "machinedeployments/" + cluster + "-workers",
                "{\"spec\":{\"rollout\":{\"strategy\":{\"rollingUpdate\":{\"maxUnavailable\":%d}}}}}"
                        .formatted(workers));
    }

    void label(String cluster, String label, String value) {
        management.merge(
                CORE + "clusters/" + cluster, "{\"metadata\":{\"labels\":{\"%s\":\"%s\"}}}".formatted(label, value));
    }

    /** Writes the version of a control plane as a field manager, such as a tool of GitOps. */
    void applyControlPlaneVersion(String cluster, String version, String manager) {
        management.merge(
                CONTROL_PLANES + cluster + "-control-plane?fieldManager=" + manager,
                "{\"spec\":{\"version\":\"%s\"}}".formatted(version));
    }

    void changeVersion(String cluster, String version) {
        changeControlPlaneVersion(cluster, version);
        changeWorkersVersion(cluster, version);
    }

    void changeControlPlaneVersion(String cluster, String version) {
        management.merge(
                CONTROL_PLANES + cluster + "-control-plane", "{\"spec\":{\"version\":\"%s\"}}".formatted(version));
    }

    void changeWorkersVersion(String cluster, String version) {
        management.merge(
                CORE + "machinedeployments/" + cluster + "-workers",
                "{\"spec\":{\"template\":{\"spec\":{\"version\":\"%s\"}}}}".formatted(version));
    }

    /** Changes a file of each machine. */
    void changeFiles(String cluster, String content) {
        changeFiles(cluster, content, "");
    }

    /** Changes both with one edit of each owner, so that Cluster API sees them together. */
    void changeVersionAndFiles(String cluster, String version, String content) {
        String field = "\"version\":\"%s\",".formatted(version);
        changeFiles(cluster, content, field);
    }

    /** The workers get another template, as Cluster API wants it. */
    private void changeFiles(String cluster, String content, String more) {
        String files =
                "\"files\":[{\"path\":\"/etc/lab\",\"permissions\":\"0644\",\"content\":\"%s\"}]".formatted(content);
        management.merge(
                CONTROL_PLANES + cluster + "-control-plane",
                "{\"spec\":{%s\"kubeadmConfigSpec\":{%s}}}".formatted(more, files));
        String template = cluster + "-workers-" + content;
        management.apply(BOOTSTRAP + "kubeadmconfigtemplates/" + template, """
                {apiVersion: bootstrap.cluster.x-k8s.io/v1beta2, kind: KubeadmConfigTemplate, metadata: {name: %s},
                 spec: {template: {spec: {%s,
                   joinConfiguration: {nodeRegistration: {criSocket: "unix:///var/run/containerd/containerd.sock"}}}}}}""".formatted(template, files));
        management.merge(
                CORE + "machinedeployments/" + cluster + "-workers",
                "{\"spec\":{\"template\":{\"spec\":{%s\"bootstrap\":{\"configRef\":{\"name\":\"%s\"}}}}}}"
                        .formatted(more, template));
    }

    /** Lets Cluster API replace workers of a cluster that are not well, or whose {@link #remediate} asks for it. */
    void checkHealth(String cluster) {
        management.apply(CORE + "machinehealthchecks/" + cluster, """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineHealthCheck, metadata: {name: %1$s},
                 spec: {clusterName: %1$s, selector: {matchLabels: {cluster.x-k8s.io/deployment-name: %1$s-workers}},
                   checks: {unhealthyNodeConditions: [{type: Ready, status: Unknown, timeoutSeconds: 300}]}}}""".formatted(cluster));
    }

    /** Asks a MachineHealthCheck to have a machine replaced. */
    void remediate(KubeObject machine) {
        management.merge(
                CORE + "machines/" + machine.name(),
                "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/remediate-machine\":\"\"}}}");
    }

    /** Pauses the control plane of a cluster in Cluster API, or ends the pause. */
    void pauseControlPlane(String cluster, boolean paused) {
        management.merge(
                CONTROL_PLANES + cluster + "-control-plane",
                "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":%s}}}"
                        .formatted(paused ? "\"\"" : "null"));
    }

    void setMachineVersion(String machine, String version) {
        management.merge(CORE + "machines/" + machine, "{\"spec\":{\"version\":\"%s\"}}".formatted(version));
    }
}
