package dev.flotilla.nodeupgrader.cluster;

import dev.flotilla.kube.KubeResponse;

/** Thrown if a workload cluster does not respond as it should; the message has the path and the response. */
final class ClusterReadException extends Exception {
    private final boolean forbidden;

    ClusterReadException(String what, KubeResponse response) {
        super(what + ": " + response.problem());
        this.forbidden = response.isForbidden();
    }

    boolean isForbidden() {
        return forbidden;
    }
}
