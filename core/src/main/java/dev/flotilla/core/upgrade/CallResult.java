package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** The result of the one refresh call. */
public sealed interface CallResult {

    /** k8sd started a change. */
    record ChangeStarted(String changeId) implements CallResult {}

    /** k8sd reports that there is nothing to do. */
    record NothingToDo() implements CallResult {}

    /** Another change is running: k8sd did nothing, and the call may be repeated. */
    record NodeBusy(String text) implements CallResult {}

    /** The request was not sent or not processed: k8sd did nothing, and the call may be repeated. */
    record NotSent(String text) implements CallResult {}

    /** k8sd did nothing and would reject the same call again. */
    record CallRejected(FailureClass failureClass, FailureReason reason, String text) implements CallResult {}

    /** No conclusive answer: the node may or may not have accepted the call. */
    record NoAnswer(String text) implements CallResult {}
}
