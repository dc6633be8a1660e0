package dev.flotilla.simulator.node;

/** What a caller learns of its call to refresh a node. */
public sealed interface RefreshCallResult {

    /** A change began. */
    record ChangeStarted(String changeId) implements RefreshCallResult {}

    /** Nothing to do: the channel offers nothing newer. */
    record NothingToDo() implements RefreshCallResult {}

    /** Another change runs. Certainly nothing was done. */
    record NodeBusy() implements RefreshCallResult {}

    /** Credentials or arguments are wrong. Certainly nothing was done. */
    record CallRejected() implements RefreshCallResult {}

    /** The node could not be reached. Certainly nothing was sent. */
    record NotSent() implements RefreshCallResult {}

    /** No answer came. The node may have taken it or not. */
    record NoAnswer() implements RefreshCallResult {}
}
