package dev.flotilla.managementwatcher.mode;

import org.jspecify.annotations.Nullable;

/**
 * Who else is there, and what keeps it from the keys that people write.
 *
 * @param controllers what shows that the provider's controllers are there; null where nothing does
 * @param served whether the API server serves mutating admission policies
 * @param bound whether ours is there, and bound
 */
public record Surroundings(@Nullable String controllers, boolean served, boolean bound) {}
