package dev.flotilla.managementwatcher.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a machine of an UpgradeTask from starting.
 *
 * @param reason why it waits, as a reason of Kubernetes
 * @param gate label of the closed gate; null if the text names none
 * @param needs what opens the gate
 * @param until when time alone opens it; null for never
 */
record MachineWait(
        String reason,
        @Nullable String gate,
        String needs,
        @Nullable Instant until) {
    static final String BLOCKED = "Blocked";
    static final String PROVIDER_CANNOT_APPLY = "ProviderCannotApply";
    static final String TARGET_NOT_ALLOWED = "TargetNotAllowed";
    static final String UPGRADER_NOT_ALLOWED = "UpgraderNotAllowed";

    /** Whether the orchestrator will not start the machine for this task unless the policy changes. */
    static boolean isRefusal(String reason) {
        return reason.equals(PROVIDER_CANNOT_APPLY)
                || reason.equals(TARGET_NOT_ALLOWED)
                || reason.equals(UPGRADER_NOT_ALLOWED);
    }
}
