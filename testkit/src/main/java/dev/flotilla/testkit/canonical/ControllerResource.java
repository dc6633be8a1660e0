package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;

/** The resources that the controllers reconcile. */
enum ControllerResource {
    MACHINES("cluster.x-k8s.io/v1beta2", "machines"),
    DEPLOYMENTS("cluster.x-k8s.io/v1beta2", "machinedeployments"),
    CONTROL_PLANES("controlplane.cluster.x-k8s.io/v1beta2", "ck8scontrolplanes");

    private final String version;
    private final String plural;

    ControllerResource(String version, String plural) {
        this.version = version;
        this.plural = plural;
    }

    String collectionPath() {
        return KubeApiPath.listPath(version, plural);
    }

    String objectPath(KubeObject object) {
        return KubeApiPath.groupObject(version, object.namespace(), plural, object.name());
    }
}
