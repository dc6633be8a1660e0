package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** The result of the one call. */
public sealed interface CallResult {

    /** The provider started a change. */
    record ChangeStarted(String changeId) implements CallResult {}

    /** The provider reports that there is nothing to do. */
    record NothingToDo() implements CallResult {}

    /** Another change is running: the provider did nothing, and the call may be repeated. */
    record NodeBusy(String text) implements CallResult {}

    /** The request was not sent or not processed: the provider did nothing, and the call may be repeated. */
    record NotSent(String text) implements CallResult {}

    /** The provider did nothing and would reject the same call again. */
    record CallRejected(FailureClass failureClass, FailureReason reason, String text) implements CallResult {}

    /** No conclusive answer: the node may or may not have accepted the call. */
    record NoAnswer(String text) implements CallResult {}
}
