package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sites whose topics refused a row, which ended a term. The brokers may describe such topics as healthy, so each is left out
 * for a while, twice as long after each refusal, before it is tried again. Used by the thread that decides alone.
 */
final class SiteRetryBackoff {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final int MOST_DOUBLINGS = 6;

    /** A site that has been taken in again for so long begins anew. */
    private static final long FORGOTTEN_AFTER = FIRST.toNanos() << MOST_DOUBLINGS;

    private record BackedOffSite(String reason, long until, int times) {}

    private final LoopClock time;
    private final Map<SiteId, BackedOffSite> suspects = new LinkedHashMap<>();

    SiteRetryBackoff(LoopClock time) {
        this.time = time;
    }

    void recordRefusal(SiteId site, String reason) {
        BackedOffSite before = suspects.get(site);
        int times = before == null || time.monotonicNanos() - before.until() >= FORGOTTEN_AFTER
                ? 0
                : Math.min(before.times() + 1, MOST_DOUBLINGS);
        suspects.put(site, new BackedOffSite(reason, time.monotonicNanos() + (FIRST.toNanos() << times), times));
    }

    /** Why a site is left out now; null where it is not. */
    @Nullable
    SiteTopicProblem findProblem(SiteId site) {
        BackedOffSite backedOffSite = suspects.get(site);
        return backedOffSite == null || time.monotonicNanos() - backedOffSite.until() >= 0
                ? null
                : SiteTopicProblem.temporaryProblem(backedOffSite.reason());
    }
}
