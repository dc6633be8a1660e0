package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** What a worker learns of its call. */
public sealed interface Answer {

    /** A change began. */
    record Accepted(String changeId) implements Answer {}

    /** There is nothing to do. */
    record NothingToDo() implements Answer {}

    /** Another change runs, or nothing was sent at all: certainly nothing was done, and the call may be made again. */
    record NotBegun() implements Answer {}

    /** Certainly nothing was done, and the same call would be refused again. */
    record Refused(FailureClass failureClass, FailureReason reason, String text) implements Answer {}

    /** The node may have taken it or not. */
    record None() implements Answer {}
}
