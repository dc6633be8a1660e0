package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** Status of a change on a node: a snap's change, or a NodeUpgrade. */
public sealed interface ChangeStatus {

    /** The change is running. */
    record InProgress(String text) implements ChangeStatus {}

    /** The change does not continue until somebody acts on the node. */
    record Blocked(String text) implements ChangeStatus {}

    /** The provider does not answer or does not report the change's status. */
    record StatusUnavailable(String text) implements ChangeStatus {}

    /** The node's k8sd is new and does not report changes until the other control-plane members are new as well. */
    record AwaitsPeers(String text) implements ChangeStatus {}

    /** The provider reports the change as done, which does not yet prove success. */
    record ChangeDone() implements ChangeStatus {}

    /** The provider does not know the change any more. */
    record ChangeForgotten() implements ChangeStatus {}

    /** The change was aborted on request: the node is left between two steps. */
    record ChangeAborted(String text) implements ChangeStatus {}

    /** The change ended without being done. */
    record ChangeFailed(FailureClass failureClass, FailureReason reason, String text) implements ChangeStatus {
        /** A failed refresh, which may succeed when it is tried again. */
        public ChangeFailed(String text) {
            this(FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, text);
        }
    }
}
