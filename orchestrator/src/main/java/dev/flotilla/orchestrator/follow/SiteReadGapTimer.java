package dev.flotilla.orchestrator.follow;

import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures how long a leader has not read a suspended site. When the site is resumed, reading continues where it
 * stopped, which requires that the tombstones since then still exist.
 */
public final class SiteReadGapTimer {
    private final ProcessClock clock;
    private final Map<SiteId, ProcessPauseDetector> gaps = new LinkedHashMap<>();

    public SiteReadGapTimer(ProcessClock clock) {
        this.clock = clock;
    }

    /** A site is no longer read. */
    public void startGap(SiteId site) {
        gaps.computeIfAbsent(site, absent -> new ProcessPauseDetector(clock));
    }

    /** A site is read again. After too long a gap this fails, and everything is read again. */
    public void endGap(SiteId site) {
        ProcessPauseDetector processPauseDetector = gaps.remove(site);
        if (processPauseDetector != null) {
            processPauseDetector.checkForPause();
        }
    }
}
