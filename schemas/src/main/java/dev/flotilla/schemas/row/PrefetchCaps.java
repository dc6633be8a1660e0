package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * How many machines may prepare at once. Machines that prepare do not count as in flight.
 *
 * @param maxPreparing within the scope of the policy; null for no cap of the fleet, and in a site's policy for what the fleet's says
 * @param maxPreparingPerSite in the fleet's policy: the cap of every site whose own policy has none; null for {@link #DEFAULT_PER_SITE}
 */
public record PrefetchCaps(
        @Nullable CountOrPercent maxPreparing, @Nullable CountOrPercent maxPreparingPerSite) {
    /** The cap of a site if no policy has one: its machines usually share a link. */
    public static final CountOrPercent DEFAULT_PER_SITE = new CountOrPercent.Count(10);

    public static final PrefetchCaps NONE = new PrefetchCaps(null, null);
}
