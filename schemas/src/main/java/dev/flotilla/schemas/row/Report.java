package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** What a worker says of an attempt. All but {@link Stepped} and {@link OutcomeUnknown} end it. */
public sealed interface Report {

    /**
     * It is at this step.
     *
     * @param before the revision that the node showed before the call, empty for none, where the target alone cannot tell
     *     what the change has done; else null
     */
    record Stepped(
            Step step, @Nullable String changeId, @Nullable String before) implements Report {
        public Stepped(Step step, @Nullable String changeId) {
            this(step, changeId, null);
        }
    }

    /**
     * The node proves that it is at the target.
     *
     * @param how whether a call was needed
     * @param revision the revision that the node shows
     * @param version the kubelet version that the node shows
     */
    record Succeeded(
            Proof how, @Nullable String revision, @Nullable String version) implements Report {}

    /**
     * It did not come to the target.
     *
     * @param evidence what else was seen; null for nothing
     */
    record Failed(
            FailureClass failureClass,
            FailureReason reason,
            String text,
            @Nullable Evidence evidence) implements Report {
        public Failed(FailureClass failureClass, FailureReason reason, String text) {
            this(failureClass, reason, text, null);
        }

        /** The same with what else was seen. */
        public Failed with(Evidence seen) {
            return new Failed(failureClass, reason, text, seen.isEmpty() ? null : seen);
        }
    }

    /** Not called, since it was cancelled. */
    record Cancelled() implements Report {}

    /** Not called, since it was too late. */
    record Expired() implements Report {}

    /** Not called, since the cluster as the worker saw it forbids it now. */
    record NotNow(String reason) implements Report {}

    /**
     * Called, and neither the call's outcome nor the node's state can be told.
     *
     * @param before as of a step
     */
    record OutcomeUnknown(
            String text,
            @Nullable String changeId,
            @Nullable String before) implements Report {
        public OutcomeUnknown(String text) {
            this(text, null, null);
        }
    }

    /** How a success is known. */
    enum Proof {
        UPGRADED("upgraded"),
        UNCHANGED("unchanged"),
        AWAITS_PEERS("awaits-peers");

        private final String label;

        Proof(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
