package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The part of a Node that matters. A cluster may have thousands, and an object is large.
 *
 * @param ready whether the API server shows it as ready
 * @param heartbeat the kubelet's last status; null for none
 * @param kubelet version of the kubelet
 * @param cordon attempt annotation of the attempt that cordoned it; null for none
 * @param revision revision of the snap; null if k8sd has not written it for the kubelet's version, or not in a readable
 *     form
 * @param etcdVoter whether its member of etcd votes, as K3s and RKE2 show it; null if the Node does not say
 */
public record NodeSnapshot(
        String name,
        boolean controlPlane,
        boolean ready,
        @Nullable Instant heartbeat,
        boolean unschedulable,
        @Nullable String kubelet,
        @Nullable String revision,
        @Nullable String bootId,
        @Nullable String internalIp,
        @Nullable AttemptAnnotation cordon,
        @Nullable Boolean etcdVoter) {
    static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
    static final String SNAP_VERSION = "k8sd.io/version";

    /** Reads the snapshot of a Node. */
    public static NodeSnapshot of(KubeObject node) {
        KubeObject ready = node.condition("Ready");
        KubeObject info = node.object("status", "nodeInfo");
        return new NodeSnapshot(
                node.name(),
                node.label(CONTROL_PLANE) != null,
                ready != null && "True".equals(ready.text("status")),
                ready == null ? null : ready.instant("lastHeartbeatTime"),
                node.bool("spec", "unschedulable"),
                info.text("kubeletVersion"),
                revision(node.annotation(SNAP_VERSION), info.text("kubeletVersion")),
                info.text("bootID"),
                internalIp(node),
                AttemptAnnotation.onNode(node),
                etcdVoter(node.condition("EtcdIsVoter")));
    }

    /**
     * Whether a kubelet of another version than in the earlier snapshot has written the status. It writes version and
     * readiness in one request, so the status is from after the change.
     */
    boolean isOtherKubelet(NodeSnapshot earlier) {
        return kubelet != null && earlier.kubelet != null && !kubelet.equals(earlier.kubelet);
    }

    /**
     * Returns the revision if k8sd wrote it for the running version, which it does some time after the kubelet has
     * started.
     */
    private static @Nullable String revision(@Nullable String version, @Nullable String kubelet) {
        KubeObject said = KubeObject.parse(version);
        String of = said == null ? null : said.text("kubernetesVersion");
        return said == null || of == null || kubelet == null || !bare(of).equals(bare(kubelet))
                ? null
                : said.text("revision");
    }

    private static @Nullable Boolean etcdVoter(@Nullable KubeObject condition) {
        return condition == null ? null : "True".equals(condition.text("status"));
    }

    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    /** Returns the first internal address, as the provider does. */
    private static @Nullable String internalIp(KubeObject node) {
        for (KubeObject address : node.list("status", "addresses")) {
            if ("InternalIP".equals(address.text("type"))) {
                return address.text("address");
            }
        }
        return null;
    }
}
