package dev.flotilla.core.upgrade;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A component of the control plane that runs as a static pod on a node.
 *
 * @param name such as {@code kube-apiserver}
 * @param imageTag the tag of its image, which is its version; null if the image has none
 * @param ready whether its pod is Ready
 */
public record ControlPlaneComponent(String name, @Nullable String imageTag, boolean ready) {
    /** The components that a node has if it has static pods of the control plane at all. */
    public static final List<String> NAMES = List.of("kube-apiserver", "kube-controller-manager", "kube-scheduler");

    /**
     * Whether it certainly runs a version. An image's tag has no {@code +}, and may say more about a build than the version
     * does: RKE2 tags v1.33.2+rke2r1 as v1.33.2-rke2r1-build20250619.
     */
    boolean runs(String version) {
        String tag = version.replace('+', '-');
        return ready
                && imageTag != null
                && (imageTag.equals(tag) || (version.indexOf('+') >= 0 && imageTag.startsWith(tag + "-")));
    }
}
