package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;

/** Result of connecting to a machine's upgrade provider before anything was changed. */
public sealed interface ConnectResult {

    /** The provider answers and accepts the credentials. */
    record Connected() implements ConnectResult {}

    /** The provider cannot be reached now. */
    record NotReachable(String text) implements ConnectResult {}

    /** An object that a person writes is missing or wrong, such as the template of NodeUpgrades. It may be corrected at any time. */
    record NotConfigured(String text) implements ConnectResult {}

    /** The provider answers and refuses the credentials or the call, or it is not trusted. */
    record ConnectionRefused(FailureClass failureClass, FailureReason reason, String text) implements ConnectResult {}
}
