package dev.flotilla.core.procedure;

/** How a change on a node stands. */
public sealed interface ChangeSight {

    /** It is not over. */
    record GoesOn(String text) implements ChangeSight {}

    /** It does not go on by itself: somebody must do something on the node. */
    record Waits(String text) implements ChangeSight {}

    /** Nobody answers, or nothing is said of it. */
    record Silent(String text) implements ChangeSight {}

    /** The node's k8sd is new, and says nothing of changes before the other members of the control plane are as well. */
    record AwaitsPeers(String text) implements ChangeSight {}

    /** snapd says that it is done, which proves nothing yet. */
    record Done() implements ChangeSight {}

    /** The node knows no such change: it was forgotten. */
    record Lost() implements ChangeSight {}

    /** It is over and was not done. */
    record Failed(String text) implements ChangeSight {}
}
