package dev.flotilla.managementwatcher.stub;

import dev.flotilla.kube.KubeObject;
import java.util.Objects;

/** Objects in the form of an API server's response, cut to what matters. Written with single quotes. */
public final class SampleObjects {
    private SampleObjects() {}

    public static KubeObject kube(String json) {
        return Objects.requireNonNull(KubeObject.parse(json.replace('\'', '"')), json);
    }

    /** Creates a worker of a MachineDeployment, with more metadata. */
    public static KubeObject machine(String metadata, String status) {
        return kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'blue-w-0', 'uid': 'u-1', 'resourceVersion': '7',
                   'labels': {'cluster.x-k8s.io/deployment-name': 'blue-workers', 'zone': 'a'}%s},
                 'spec': {'clusterName': 'blue', 'providerID': 'sim:///blue-w-0',
                   'bootstrap': {'configRef': {'kind': 'CK8sConfig', 'name': 'blue-w-0'}}},
                 'status': {'nodeRef': {'name': 'blue-w-0'}, 'nodeInfo': {'kubeletVersion': 'v1.32.1',
                   'systemUUID': 's-1', 'architecture': 'arm64'}%s}}""".formatted(metadata, status));
    }

    /** Creates its MachineDeployment, which has three machines. */
    public static KubeObject deployment(String metadata, int replicas, String conditions) {
        return kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'blue-workers', 'uid': 'u-2', 'resourceVersion': '8'%s},
                 'spec': {'clusterName': 'blue', 'replicas': %d},
                 'status': {'replicas': 3, 'upToDateReplicas': 3%s}}""".formatted(metadata, replicas, conditions));
    }
}
