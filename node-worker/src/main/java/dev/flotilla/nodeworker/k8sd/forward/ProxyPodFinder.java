package dev.flotilla.nodeworker.k8sd.forward;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.List;

/** Finds the pod on a node that forwards to the node's k8sd. */
final class ProxyPodFinder {
    private static final String NAMESPACE = "kube-system";
    private static final String NAME = "k8sd-proxy";

    /** Port of the proxy, whatever the port of k8sd. */
    private static final int PORT = 2380;

    /** Most pods in the list: one of the DaemonSet, and terminating ones. */
    private static final int MOST = 50;

    private ProxyPodFinder() {}

    /** Result of the search. */
    sealed interface ProxyPodResult {

        /**
         * The pod is running.
         *
         * @param path path of its port-forward
         */
        record RunningPod(String path) implements ProxyPodResult {}

        /** There is no running pod. */
        record NoRunningPod(String reason) implements ProxyPodResult {}
    }

    /** Finds the proxy pod of a node. */
    static ProxyPodResult findOnNode(KubeApiClient api, String node) {
        List<KubeObject> pods = new ArrayList<>();
        String problem = api.forEachObject(
                KubeApiPath.coreObject(NAMESPACE, "pods"),
                "&labelSelector=" + KubeApiPath.encodeQueryValue("app=" + NAME) + "&fieldSelector="
                        + KubeApiPath.encodeQueryValue("spec.nodeName=" + node),
                MOST,
                pods::add);
        if (problem != null) {
            return new ProxyPodResult.NoRunningPod("the pods of " + NAME + " cannot be listed: " + problem);
        }
        for (KubeObject pod : pods) {
            if ("Running".equals(pod.text("status", "phase")) && !pod.has("metadata", "deletionTimestamp")) {
                return new ProxyPodResult.RunningPod(
                        KubeApiPath.coreObject(NAMESPACE, "pods", pod.name()) + "/portforward?ports=" + PORT);
            }
        }
        return new ProxyPodResult.NoRunningPod(pods.isEmpty() ? missing(node) : notRunning(pods.getFirst(), node));
    }

    private static String missing(String node) {
        return "there is no " + NAME + " pod on node " + node + "; its DaemonSet in " + NAMESPACE
                + " does not tolerate the taints of workers";
    }

    private static String notRunning(KubeObject pod, String node) {
        String phase = pod.text("status", "phase");
        return "pod " + pod.name() + " of node " + node + " is "
                + (pod.has("metadata", "deletionTimestamp") ? "being deleted" : phase == null ? "not running" : phase);
    }
}
