package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges the datastore of each other member of a control plane by what the API shows without credentials of etcd: the etcd
 * pods, as kubeadm and RKE2 label them, and the Nodes' condition {@code EtcdIsVoter}, as K3s and RKE2 set it. A control
 * plane whose etcd is elsewhere shows neither, and is judged by its API servers alone.
 */
public final class DatastoreMembers {
    private static final String PODS = KubeApiPath.coreObject("kube-system", "pods");
    private static final String ETCD = "component=etcd";

    /** Most etcd pods: many times as many as a control plane has members. */
    private static final int MAX_PODS = 250;

    private final KubeApiClient api;

    public DatastoreMembers(KubeApiClient api) {
        this.api = api;
    }

    /** Returns why the datastore of another member cannot be counted on; null if each can. */
    public @Nullable String findProblem(List<NodeSnapshot> others) {
        List<NodeSnapshot> sorted = new ArrayList<>(others);
        sorted.sort(Comparator.comparing(NodeSnapshot::name));
        for (NodeSnapshot member : sorted) {
            if (Boolean.FALSE.equals(member.etcdVoter())) {
                return "control-plane member " + member.name()
                        + " is no voter of etcd (condition EtcdIsVoter): it is a learner or not a member";
            }
        }
        return findPodProblem(sorted);
    }

    private @Nullable String findPodProblem(List<NodeSnapshot> others) {
        Map<String, Boolean> readyByNode = new TreeMap<>();
        String unread = api.forEachObject(
                PODS,
                "&labelSelector=" + KubeApiPath.encodeQueryValue(ETCD),
                MAX_PODS,
                pod -> addPod(readyByNode, pod));
        if (unread != null) {
            return "the etcd pods of the control plane cannot be listed: " + unread
                    + "; a 403 ends with deploy/node-worker/rbac-workload.yaml";
        }
        if (readyByNode.isEmpty()) {
            return null;
        }
        for (NodeSnapshot member : others) {
            Boolean ready = readyByNode.get(member.name());
            if (!Boolean.TRUE.equals(ready)) {
                return "etcd of control-plane member " + member.name()
                        + (ready == null ? " has no pod, although other members have one" : " is not Ready");
            }
        }
        return null;
    }

    private static void addPod(Map<String, Boolean> readyByNode, KubeObject pod) {
        String node = pod.text("spec", "nodeName");
        if (node != null) {
            readyByNode.merge(node, pod.isCondition("Ready", "True") && !pod.isDeleting(), Boolean::logicalAnd);
        }
    }
}
