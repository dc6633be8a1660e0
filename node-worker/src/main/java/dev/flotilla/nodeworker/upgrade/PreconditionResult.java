package dev.flotilla.nodeworker.upgrade;

import org.jspecify.annotations.Nullable;

/**
 * Whether a machine may be upgraded now, as its objects say.
 *
 * @param blockedReason why not; null where nothing speaks against it
 */
public record PreconditionResult(@Nullable String blockedReason) {
    public static final PreconditionResult ALLOWED = new PreconditionResult(null);
}
