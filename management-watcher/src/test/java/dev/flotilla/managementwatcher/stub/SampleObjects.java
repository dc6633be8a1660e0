package dev.flotilla.managementwatcher.stub;

import dev.flotilla.kube.KubeObject;
import java.util.Objects;

/** Objects as API servers show them, cut to what matters. Written with single quotes. */
public final class SampleObjects {
    private SampleObjects() {}

    public static KubeObject kube(String json) {
        return Objects.requireNonNull(KubeObject.parse(json.replace('\'', '"')), json);
    }

    /** A worker of a MachineDeployment, with more in its metadata. */
    public static KubeObject machine(String metadata, String status) {
        return kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'blue-w-0', 'uid': 'u-1', 'resourceVersion': '7',
                   'labels': {'cluster.x-k8s.io/deployment-name': 'blue-workers', 'zone': 'a'}%s},
                 'spec': {'clusterName': 'blue', 'providerID': 'sim:///blue-w-0'},
                 'status': {'nodeRef': {'name': 'blue-w-0'}, 'nodeInfo': {'kubeletVersion': 'v1.32.1',
                   'systemUUID': 's-1', 'architecture': 'arm64'}%s}}""".formatted(metadata, status));
    }

    /** Its deployment, which wants so many and has three. */
    public static KubeObject deployment(String metadata, int replicas, String conditions) {
        return kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'blue-workers', 'uid': 'u-2', 'resourceVersion': '8'%s},
                 'spec': {'clusterName': 'blue', 'replicas': %d},
                 'status': {'replicas': 3, 'upToDateReplicas': 3%s}}""".formatted(metadata, replicas, conditions));
    }
}
