package dev.flotilla.core.upgrade;

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
     */
    record ObservedNode(
            @Nullable String revision,
            @Nullable String version,
            boolean ready,
            boolean busy,
            @Nullable String silentPeer,
            @Nullable String observedSpec)
            implements NodeInspection {
        public ObservedNode(
                @Nullable String revision,
                @Nullable String version,
                boolean ready,
                boolean busy,
                @Nullable String silentPeer) {
            this(revision, version, ready, busy, silentPeer, null);
        }

        public ObservedNode(@Nullable String revision, @Nullable String version, boolean ready, boolean busy) {
            this(revision, version, ready, busy, null, null);
        }
    }
}
