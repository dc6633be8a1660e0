package dev.flotilla.core.procedure;

import org.jspecify.annotations.Nullable;

/** What a look at a node shows. */
public sealed interface NodeInspection {

    /** There is no such machine any more, or another one of its name. */
    record MachineGone() implements NodeInspection {}

    /** It cannot be told. */
    record Unreachable(String text) implements NodeInspection {}

    /**
     * It answers.
     *
     * @param revision of the snap; null where its k8sd does not show what its kubelet runs
     * @param version of the kubelet
     * @param busy whether a change runs on it
     * @param silentPeer another member of its control plane whose k8sd does not show what its kubelet runs; null for none, and
     *     where it does not matter
     */
    record ObservedNode(
            @Nullable String revision,
            @Nullable String version,
            boolean ready,
            boolean busy,
            @Nullable String silentPeer)
            implements NodeInspection {
        public ObservedNode(@Nullable String revision, @Nullable String version, boolean ready, boolean busy) {
            this(revision, version, ready, busy, null);
        }
    }
}
