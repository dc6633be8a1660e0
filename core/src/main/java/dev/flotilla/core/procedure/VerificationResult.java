package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureReason;

/** What a look at a node after its change means for the attempt. */
sealed interface VerificationResult {

    /** The node proves where it is. */
    record AtTarget(AttemptReport.SuccessProof proof) implements VerificationResult {}

    /** It has not come to its target. */
    record NotAtTarget(FailureReason reason, String text) implements VerificationResult {}

    /** It runs what it should and does not say so: it may wait for its peers. */
    record MayAwaitPeers() implements VerificationResult {}

    /** It may still prove it. */
    record StillPending() implements VerificationResult {}

    /** Nobody can tell for now what came of it, though it may still be proven. */
    record Undetermined(String text) implements VerificationResult {}
}
