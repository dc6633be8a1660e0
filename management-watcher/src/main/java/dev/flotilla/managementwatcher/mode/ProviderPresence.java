package dev.flotilla.managementwatcher.mode;

import org.jspecify.annotations.Nullable;

/**
 * What shows that the provider's controllers run in a cluster, and whether the policy hides annotations from them.
 *
 * @param controllerEvidence object that shows that the provider's controllers run; null for none
 * @param policiesServed whether the API server serves mutating admission policies
 * @param policyBound whether Flotilla's policy exists and is bound
 */
public record ProviderPresence(@Nullable String controllerEvidence, boolean policiesServed, boolean policyBound) {}
