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
final class Suspects {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final int MOST_DOUBLINGS = 6;

    /** A site that has been taken in again for so long begins anew. */
    private static final long FORGOTTEN_AFTER = FIRST.toNanos() << MOST_DOUBLINGS;

    private record Suspect(String reason, long until, int times) {}

    private final TimeSource time;
    private final Map<SiteId, Suspect> suspects = new LinkedHashMap<>();

    Suspects(TimeSource time) {
        this.time = time;
    }

    void add(SiteId site, String reason) {
        Suspect before = suspects.get(site);
        int times = before == null || time.nanos() - before.until() >= FORGOTTEN_AFTER
                ? 0
                : Math.min(before.times() + 1, MOST_DOUBLINGS);
        suspects.put(site, new Suspect(reason, time.nanos() + (FIRST.toNanos() << times), times));
    }

    /** Why a site is left out now; null where it is not. */
    @Nullable
    SiteTrouble trouble(SiteId site) {
        Suspect suspect = suspects.get(site);
        return suspect == null || time.nanos() - suspect.until() >= 0 ? null : SiteTrouble.passing(suspect.reason());
    }
}
