package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubePath;

/** Where the objects are that the controllers look after. */
enum Place {
    MACHINES("cluster.x-k8s.io/v1beta2", "machines"),
    DEPLOYMENTS("cluster.x-k8s.io/v1beta2", "machinedeployments"),
    CONTROL_PLANES("controlplane.cluster.x-k8s.io/v1beta2", "ck8scontrolplanes");

    private final String version;
    private final String plural;

    Place(String version, String plural) {
        this.version = version;
        this.plural = plural;
    }

    String all() {
        return KubePath.all(version, plural);
    }

    String of(Kube object) {
        return KubePath.of(version, object.namespace(), plural, object.name());
    }
}
