package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** What came of reaching a node's k8sd before anything was done. */
public sealed interface Contact {

    /** It answers, and takes the token. */
    record Made() implements Contact {}

    /** There is no way to it for now. */
    record Missing(String text) implements Contact {}

    /** It answers and would not do as it is told, or it is not to be trusted. */
    record Refused(FailureClass failureClass, FailureReason reason, String text) implements Contact {}
}
