package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** Result of connecting to a node's k8sd before anything was changed. */
public sealed interface ConnectResult {

    /** k8sd answers and accepts the token. */
    record Connected() implements ConnectResult {}

    /** k8sd cannot be reached now. */
    record NotReachable(String text) implements ConnectResult {}

    /** k8sd answers and refuses the token, or it is not trusted. */
    record ConnectionRefused(FailureClass failureClass, FailureReason reason, String text) implements ConnectResult {}
}
