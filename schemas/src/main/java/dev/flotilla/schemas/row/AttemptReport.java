package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** What a worker says of an attempt. All but {@link StepReached} and {@link OutcomeUnknown} end it. */
public sealed interface AttemptReport {

    /**
     * It is at this step.
     *
     * @param revisionBeforeCall the revision that the node showed before the call, empty for none, where the target alone cannot tell
     *     what the change has done; else null
     */
    record StepReached(
            AttemptStep step,
            @Nullable String changeId,
            @Nullable String revisionBeforeCall) implements AttemptReport {
        public StepReached(AttemptStep step, @Nullable String changeId) {
            this(step, changeId, null);
        }
    }

    /**
     * The node proves that it is at the target.
     *
     * @param proof whether a call was needed
     * @param revision the revision that the node shows
     * @param version the kubelet version that the node shows
     */
    record Succeeded(
            SuccessProof proof,
            @Nullable String revision,
            @Nullable String version) implements AttemptReport {}

    /**
     * It did not come to the target.
     *
     * @param evidence what else was seen; null for nothing
     */
    record Failed(
            FailureClass failureClass,
            FailureReason reason,
            String text,
            @Nullable FailureEvidence evidence) implements AttemptReport {
        public Failed(FailureClass failureClass, FailureReason reason, String text) {
            this(failureClass, reason, text, null);
        }

        /** The same with what else was seen. */
        public Failed with(FailureEvidence seen) {
            return new Failed(failureClass, reason, text, seen.isEmpty() ? null : seen);
        }
    }

    /** Not called, since it was cancelled. */
    record Cancelled() implements AttemptReport {}

    /** Not called, since it was too late. */
    record LeaseExpired() implements AttemptReport {}

    /** Not called, since the cluster as the worker saw it forbids it now. */
    record Deferred(String reason) implements AttemptReport {}

    /**
     * Called, and neither the call's outcome nor the node's state can be told.
     *
     * @param revisionBeforeCall as of a step
     */
    record OutcomeUnknown(
            String text,
            @Nullable String changeId,
            @Nullable String revisionBeforeCall) implements AttemptReport {
        public OutcomeUnknown(String text) {
            this(text, null, null);
        }
    }

    /** How a success is known. */
    enum SuccessProof {
        UPGRADED("upgraded"),
        UNCHANGED("unchanged"),
        AWAITS_PEERS("awaits-peers");

        private final String label;

        SuccessProof(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
