package dev.flotilla.core.upgrade;

/** Status of a change on a node. */
public sealed interface ChangeStatus {

    /** The change is running. */
    record InProgress(String text) implements ChangeStatus {}

    /** The change does not continue until somebody acts on the node. */
    record Blocked(String text) implements ChangeStatus {}

    /** k8sd does not answer or does not report the change's status. */
    record StatusUnavailable(String text) implements ChangeStatus {}

    /** The node's k8sd is new and does not report changes until the other control-plane members are new as well. */
    record AwaitsPeers(String text) implements ChangeStatus {}

    /** snapd reports the change as done, which does not yet prove success. */
    record ChangeDone() implements ChangeStatus {}

    /** The node does not know the change any more. */
    record ChangeForgotten() implements ChangeStatus {}

    /** The change ended without being done. */
    record ChangeFailed(String text) implements ChangeStatus {}
}
