package dev.flotilla.schemas.row;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A campaign's rules within each cluster.
 *
 * @param maxInFlight machines of the cluster that may be in flight at once; null for no cap
 * @param maxUnavailable workers of the cluster that may be unavailable or in flight at once
 * @param soak the pause between one machine's success and the next start
 * @param controlPlaneFirst whether no worker starts before the whole control plane is at the target
 * @param strict whether no more machines start in a cluster that has a quarantined machine
 */
public record ClusterRules(
        @Nullable CountOrPercent maxInFlight,
        CountOrPercent maxUnavailable,
        Duration soak,
        boolean controlPlaneFirst,
        boolean strict) {
    public static final ClusterRules DEFAULT =
            new ClusterRules(null, new CountOrPercent.Count(1), Duration.ZERO, true, false);
}
