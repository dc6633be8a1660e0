package dev.flotilla.managementwatcher.mode;

import org.jspecify.annotations.Nullable;

/**
 * Who else is there, and what keeps it from the keys that people write.
 *
 * @param controllerEvidence what shows that the provider's controllers are there; null where nothing does
 * @param policiesServed whether the API server serves mutating admission policies
 * @param policyBound whether ours is there, and bound
 */
public record ProviderPresence(@Nullable String controllerEvidence, boolean policiesServed, boolean policyBound) {}
