package dev.flotilla.nodeworker.upgrade;

import org.jspecify.annotations.Nullable;

/**
 * Whether the live objects allow the upgrade of a machine.
 *
 * @param blockedReason why not; null if it is allowed
 */
public record PreconditionResult(@Nullable String blockedReason) {
    public static final PreconditionResult ALLOWED = new PreconditionResult(null);
}
