package dev.flotilla.simulator.node;

/** What a caller learns of its call to refresh a node. */
public sealed interface CallOutcome {

    /** A change began. */
    record Accepted(String changeId) implements CallOutcome {}

    /** Nothing to do: the channel offers nothing newer. */
    record NothingToDo() implements CallOutcome {}

    /** Another change runs. Certainly nothing was done. */
    record Conflict() implements CallOutcome {}

    /** Credentials or arguments are wrong. Certainly nothing was done. */
    record Refused() implements CallOutcome {}

    /** The node could not be reached. Certainly nothing was sent. */
    record NotSent() implements CallOutcome {}

    /** No answer came. The node may have taken it or not. */
    record NoAnswer() implements CallOutcome {}
}
