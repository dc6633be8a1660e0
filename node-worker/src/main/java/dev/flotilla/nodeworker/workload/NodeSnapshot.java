package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What counts of a Node. A cluster may have thousands, and an object is large.
 *
 * @param ready as the API server says
 * @param heartbeat the kubelet's last word in its status; null if there is none
 * @param kubelet its version
 * @param cordon the mark of the attempt that has cordoned it; null where none has
 * @param revision of the snap; null if k8sd has not written it of the kubelet's version, or not so that it can be read
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
        @Nullable AttemptAnnotation cordon) {
    static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
    static final String SNAP_VERSION = "k8sd.io/version";

    /** Reads them. */
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
                AttemptAnnotation.onNode(node));
    }

    /**
     * Whether a kubelet of another version has written it than that of an earlier look. It writes its version and that it is
     * ready in one, so that this is its word since then, however soon.
     */
    boolean isOtherKubelet(NodeSnapshot earlier) {
        return kubelet != null && earlier.kubelet != null && !kubelet.equals(earlier.kubelet);
    }

    /** What k8sd says counts when it says it of what runs: it writes it some time after the kubelet has started. */
    private static @Nullable String revision(@Nullable String version, @Nullable String kubelet) {
        KubeObject said = KubeObject.parse(version);
        String of = said == null ? null : said.text("kubernetesVersion");
        return said == null || of == null || kubelet == null || !bare(of).equals(bare(kubelet))
                ? null
                : said.text("revision");
    }

    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    /** The first one, as the provider takes it. */
    private static @Nullable String internalIp(KubeObject node) {
        for (KubeObject address : node.list("status", "addresses")) {
            if ("InternalIP".equals(address.text("type"))) {
                return address.text("address");
            }
        }
        return null;
    }
}
