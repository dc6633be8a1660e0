package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** A worker's report of an attempt. All but {@link StepReached} and {@link OutcomeUnknown} end the attempt. */
public sealed interface AttemptReport {
    /** Whether it ends the attempt. */
    default boolean isFinal() {
        return !(this instanceof StepReached) && !(this instanceof OutcomeUnknown);
    }

    /**
     * The attempt reached a step.
     *
     * @param revisionBeforeCall the revision that the node showed before the call, empty for none; null unless the target alone does
     *     not show whether the change had an effect
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
     * The node shows the target's revision and version.
     *
     * @param proof how the worker knows it, and whether a call was needed
     * @param revision the revision that the node shows
     * @param version the kubelet version that the node shows
     */
    record Succeeded(
            SuccessProof proof,
            @Nullable String revision,
            @Nullable String version) implements AttemptReport {}

    /**
     * The attempt failed: the node is not at the target.
     *
     * @param evidence evidence for an investigation; null for none
     */
    record Failed(
            FailureClass failureClass,
            FailureReason reason,
            String text,
            @Nullable FailureEvidence evidence) implements AttemptReport {
        public Failed(FailureClass failureClass, FailureReason reason, String text) {
            this(failureClass, reason, text, null);
        }

        /** Returns a copy with evidence. */
        public Failed with(FailureEvidence seen) {
            return new Failed(failureClass, reason, text, seen.isEmpty() ? null : seen);
        }
    }

    /** What the upgrade needs is on the node, and nothing that runs was changed. Only of a preparation. */
    record Prepared() implements AttemptReport {}

    /** The call was not made, because the attempt was cancelled. */
    record Cancelled() implements AttemptReport {}

    /**
     * The call was made, and its change was aborted, because the attempt was cancelled. It is no failure, and the node may be
     * part-way.
     *
     * @param text where the change stopped
     */
    record Aborted(String text) implements AttemptReport {}

    /** The call was not made, because the command lease had expired. */
    record LeaseExpired() implements AttemptReport {}

    /** The call was not made, because a precondition or check does not hold now. */
    record Deferred(String reason) implements AttemptReport {}

    /**
     * The call was made, but neither its outcome nor the node's state is known.
     *
     * @param revisionBeforeCall as in {@link StepReached}
     */
    record OutcomeUnknown(
            String text,
            @Nullable String changeId,
            @Nullable String revisionBeforeCall) implements AttemptReport {
        public OutcomeUnknown(String text) {
            this(text, null, null);
        }
    }

    /** How the worker knows that an attempt succeeded. */
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
