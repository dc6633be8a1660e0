package dev.flotilla.orchestrator.follow;

import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Backs off from sites whose topics rejected a row, which ended a term. The brokers may describe such topics as
 * healthy, so each site is left out for a while, twice as long after each rejection, before it is tried again. Used by
 * the deciding thread only.
 */
public final class SiteRetryBackoff {
    private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
    private static final int MAX_DOUBLINGS = 6;

    /** A site that was used this long without a rejection starts again with the first delay. */
    private static final long RESET_NANOS = FIRST_DELAY.toNanos() << MAX_DOUBLINGS;

    private record BackedOffSite(String reason, long until, int times) {}

    private final ProcessClock clock;
    private final Map<SiteId, BackedOffSite> backedOffSites = new LinkedHashMap<>();

    public SiteRetryBackoff(ProcessClock clock) {
        this.clock = clock;
    }

    public void recordRefusal(SiteId site, String reason) {
        BackedOffSite before = backedOffSites.get(site);
        int times = before == null || clock.monotonicNanos() - before.until() >= RESET_NANOS
                ? 0
                : Math.min(before.times() + 1, MAX_DOUBLINGS);
        backedOffSites.put(
                site, new BackedOffSite(reason, clock.monotonicNanos() + (FIRST_DELAY.toNanos() << times), times));
    }

    /** Why a site is left out now; null if it is not. */
    @Nullable
    SiteTopicProblem findProblem(SiteId site) {
        BackedOffSite backedOffSite = backedOffSites.get(site);
        return backedOffSite == null || clock.monotonicNanos() - backedOffSite.until() >= 0
                ? null
                : SiteTopicProblem.temporaryProblem(backedOffSite.reason());
    }
}
