package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** What came of reaching a node's k8sd before anything was done. */
public sealed interface ConnectResult {

    /** It answers, and takes the token. */
    record Connected() implements ConnectResult {}

    /** There is no way to it for now. */
    record NotReachable(String text) implements ConnectResult {}

    /** It answers and would not do as it is told, or it is not to be trusted. */
    record ConnectionRefused(FailureClass failureClass, FailureReason reason, String text) implements ConnectResult {}
}
