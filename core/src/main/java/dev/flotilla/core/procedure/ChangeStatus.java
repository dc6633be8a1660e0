package dev.flotilla.core.procedure;

/** How a change on a node stands. */
public sealed interface ChangeStatus {

    /** It is not over. */
    record InProgress(String text) implements ChangeStatus {}

    /** It does not go on by itself: somebody must do something on the node. */
    record Blocked(String text) implements ChangeStatus {}

    /** Nobody answers, or nothing is said of it. */
    record StatusUnavailable(String text) implements ChangeStatus {}

    /** The node's k8sd is new, and says nothing of changes before the other members of the control plane are as well. */
    record AwaitsPeers(String text) implements ChangeStatus {}

    /** snapd says that it is done, which proves nothing yet. */
    record ChangeDone() implements ChangeStatus {}

    /** The node knows no such change: it was forgotten. */
    record ChangeForgotten() implements ChangeStatus {}

    /** It is over and was not done. */
    record ChangeFailed(String text) implements ChangeStatus {}
}
