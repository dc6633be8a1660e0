package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** What a worker learns of its call. */
public sealed interface Answer {

    /** A change began. */
    record Accepted(String changeId) implements Answer {}

    /** There is nothing to do. */
    record NothingToDo() implements Answer {}

    /** Another change runs: certainly nothing was done, and the call may be made again. */
    record Busy(String text) implements Answer {}

    /** Nothing was sent, or nobody looked at it: certainly nothing was done, and the call may be made again. */
    record NotBegun(String text) implements Answer {}

    /** Certainly nothing was done, and the same call would be refused again. */
    record Refused(FailureClass failureClass, FailureReason reason, String text) implements Answer {}

    /** No answer that says so much: the node may have taken it or not. */
    record None(String text) implements Answer {}
}
