package dev.flotilla.core.upgrade;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Result of an inspection of a node. */
public sealed interface NodeInspection {

    /** The machine does not exist any more, or another machine has its name. */
    record MachineGone() implements NodeInspection {}

    /** The node's state cannot be read. */
    record Unreachable(String text) implements NodeInspection {}

    /**
     * The node as it shows itself.
     *
     * @param revision of the snap; null if the node's k8sd does not show which revision its kubelet runs
     * @param version of the kubelet
     * @param busy whether a change is running on the node
     * @param silentPeer another control-plane member whose k8sd does not show which revision its kubelet runs; null
     *     if there is none or it does not matter
     * @param observedSpec the hash of the description that the machine's NodeUpgrade has seen applied; null with k8sd
     * @param components the control plane's static pods on the node; empty with k8sd, and where there are none
     */
    record ObservedNode(
            @Nullable String revision,
            @Nullable String version,
            boolean ready,
            boolean busy,
            @Nullable String silentPeer,
            @Nullable String observedSpec,
            List<ControlPlaneComponent> components)
            implements NodeInspection {
        public ObservedNode {
            components = List.copyOf(components);
        }

        /** A node without static pods of a control plane. */
        public ObservedNode(
                @Nullable String revision,
                @Nullable String version,
                boolean ready,
                boolean busy,
                @Nullable String silentPeer,
                @Nullable String observedSpec) {
            this(revision, version, ready, busy, silentPeer, observedSpec, List.of());
        }

        public ObservedNode(
                @Nullable String revision,
                @Nullable String version,
                boolean ready,
                boolean busy,
                @Nullable String silentPeer) {
            this(revision, version, ready, busy, silentPeer, null, List.of());
        }

        public ObservedNode(@Nullable String revision, @Nullable String version, boolean ready, boolean busy) {
            this(revision, version, ready, busy, null, null, List.of());
        }

        /** Returns a component of the control plane; null if it has no pod on the node. */
        @Nullable
        ControlPlaneComponent component(String name) {
            for (ControlPlaneComponent component : components) {
                if (component.name().equals(name)) {
                    return component;
                }
            }
            return null;
        }

        /** Returns a copy with the hash of the description that was applied. */
        public ObservedNode withObservedSpec(@Nullable String hash) {
            return new ObservedNode(revision, version, ready, busy, silentPeer, hash, components);
        }

        /** Returns a copy with the control plane's static pods. */
        public ObservedNode withComponents(List<ControlPlaneComponent> pods) {
            return new ObservedNode(revision, version, ready, busy, silentPeer, observedSpec, pods);
        }
    }
}
