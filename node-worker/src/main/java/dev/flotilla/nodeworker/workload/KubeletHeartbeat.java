package dev.flotilla.nodeworker.workload;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How old the signs of a kubelet may be. Ready stays True for ever if the controllers that reset it do not run. */
final class KubeletHeartbeat {
    /** A kubelet without news writes its status every 5 minutes. */
    private static final Duration STATUS = Duration.ofMinutes(6);

    /** A kubelet renews its lease every 10 s, and counts as lost when the lease is 40 s old. */
    private static final Duration LEASE = Duration.ofSeconds(40);

    private KubeletHeartbeat() {}

    /** Whether a status written at that time shows that the kubelet is alive, and has reported since. */
    static boolean isRecentInStatus(@Nullable Instant written, @Nullable Instant since, Instant now) {
        return shows(written, STATUS, since, now);
    }

    /** Whether a lease renewed at that time shows the same. */
    static boolean isRecentInLease(@Nullable Instant renewed, @Nullable Instant since, Instant now) {
        return shows(renewed, LEASE, since, now);
    }

    private static boolean shows(@Nullable Instant at, Duration age, @Nullable Instant since, Instant now) {
        return at != null && at.isAfter(now.minus(age)) && (since == null || !at.isBefore(since));
    }
}
