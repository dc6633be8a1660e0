package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** What a worker learns of its call. */
public sealed interface CallResult {

    /** A change began. */
    record ChangeStarted(String changeId) implements CallResult {}

    /** There is nothing to do. */
    record NothingToDo() implements CallResult {}

    /** Another change runs: certainly nothing was done, and the call may be made again. */
    record NodeBusy(String text) implements CallResult {}

    /** Nothing was sent, or nobody looked at it: certainly nothing was done, and the call may be made again. */
    record NotSent(String text) implements CallResult {}

    /** Certainly nothing was done, and the same call would be refused again. */
    record CallRejected(FailureClass failureClass, FailureReason reason, String text) implements CallResult {}

    /** No answer that says so much: the node may have taken it or not. */
    record NoAnswer(String text) implements CallResult {}
}
