package dev.flotilla.simulator.node;

/** What a caller learns about its refresh call. */
public sealed interface RefreshCallResult {

    /** A change started. */
    record ChangeStarted(String changeId) implements RefreshCallResult {}

    /** There was nothing to do: the channel offers nothing newer. */
    record NothingToDo() implements RefreshCallResult {}

    /** Another change is running. The node certainly did nothing. */
    record NodeBusy() implements RefreshCallResult {}

    /** Credentials or arguments are wrong. The node certainly did nothing. */
    record CallRejected() implements RefreshCallResult {}

    /** The node was not reachable. Certainly nothing was sent. */
    record NotSent() implements RefreshCallResult {}

    /** No response arrived. The node may have executed the call. */
    record NoAnswer() implements RefreshCallResult {}
}
