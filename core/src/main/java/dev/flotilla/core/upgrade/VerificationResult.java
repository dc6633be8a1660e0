package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureReason;

/** Result of verifying a node after its change. */
sealed interface VerificationResult {

    /** The node proves that it is at its target. */
    record AtTarget(AttemptReport.SuccessProof proof) implements VerificationResult {}

    /** The node has not reached its target. */
    record NotAtTarget(FailureReason reason, String text) implements VerificationResult {}

    /** The node's kubelet runs the target but its k8sd does not show it: it may be waiting for its peers. */
    record MayAwaitPeers() implements VerificationResult {}

    /** The node may still prove its target. */
    record StillPending() implements VerificationResult {}

    /** The outcome is unknown for now, and may still be proven. */
    record Undetermined(String text) implements VerificationResult {}
}
