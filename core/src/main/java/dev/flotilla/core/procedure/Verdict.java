package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;

/** What a look at a node after its change means for the attempt. */
sealed interface Verdict {

    /** The node proves where it is. */
    record Proven(AttemptReport.SuccessProof how) implements Verdict {}

    /** It has not come to its target. */
    record Missed(FailureReason reason, String text) implements Verdict {}

    /** It runs what it should and does not say so: it may wait for its peers. */
    record Doubtful() implements Verdict {}

    /** It may still prove it. */
    record Open() implements Verdict {}

    /** Nobody can tell for now what came of it, though it may still be proven. */
    record Unclear(String text) implements Verdict {}
}
