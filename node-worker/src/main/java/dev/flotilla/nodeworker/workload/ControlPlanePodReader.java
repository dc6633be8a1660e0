package dev.flotilla.nodeworker.workload;

import dev.flotilla.core.upgrade.ControlPlaneComponent;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the static pods of a control-plane node, as kubeadm and RKE2 label them. A control plane without static pods, such as
 * that of K3s, has none.
 */
public final class ControlPlanePodReader {
    private static final String PODS = KubeApiPath.coreObject("kube-system", "pods");
    private static final String TIER = "tier=control-plane";
    private static final String COMPONENT = "component";

    /** Most pods of that label on a node: a few times as many as there are components. */
    private static final int MAX_PODS = 250;

    private final KubeApiClient api;

    public ControlPlanePodReader(KubeApiClient api) {
        this.api = api;
    }

    /** Result of reading the pods. */
    public sealed interface PodsResult {

        /** The components on the node, by name. */
        record ComponentsRead(List<ControlPlaneComponent> components) implements PodsResult {}

        /** The pods could not be listed. */
        record PodsUnreadable(String reason) implements PodsResult {}
    }

    /** Reads the components on a node. */
    public PodsResult readComponents(String node) {
        List<ControlPlaneComponent> components = new ArrayList<>();
        String problem = api.forEachObject(
                PODS,
                "&fieldSelector=" + KubeApiPath.encodeQueryValue("spec.nodeName=" + node) + "&labelSelector="
                        + KubeApiPath.encodeQueryValue(TIER),
                MAX_PODS,
                pod -> {
                    // API servers of clusters in memory ignore field selectors.
                    if (node.equals(pod.text("spec", "nodeName"))) {
                        addComponent(components, pod);
                    }
                });
        components.sort(Comparator.comparing(ControlPlaneComponent::name));
        return problem == null ? new PodsResult.ComponentsRead(components) : new PodsResult.PodsUnreadable(problem);
    }

    private static void addComponent(List<ControlPlaneComponent> components, KubeObject pod) {
        String name = pod.label(COMPONENT);
        if (name != null && ControlPlaneComponent.NAMES.contains(name)) {
            components.add(new ControlPlaneComponent(
                    name, imageTag(pod, name), pod.isCondition("Ready", "True") && !pod.isDeleting()));
        }
    }

    private static @Nullable String imageTag(KubeObject pod, String component) {
        for (KubeObject container : pod.list("spec", "containers")) {
            if (component.equals(container.text("name"))) {
                return tagOf(container.text("image"));
            }
        }
        return null;
    }

    /** Returns the tag of an image; null if it has none. A colon before the last slash belongs to the registry's port. */
    private static @Nullable String tagOf(@Nullable String image) {
        if (image == null) {
            return null;
        }
        int digest = image.indexOf('@');
        String named = digest < 0 ? image : image.substring(0, digest);
        int colon = named.indexOf(':', named.lastIndexOf('/') + 1);
        return colon < 0 ? null : named.substring(colon + 1);
    }
}
