package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long a leader has read nothing of sites that it had read before. A site that comes back is read on from where it was
 * left, and for that its tombstones must still be there.
 */
final class SiteReadGapTimer {
    private final LoopClock time;
    private final Map<SiteId, ProcessPauseDetector> since = new LinkedHashMap<>();

    SiteReadGapTimer(LoopClock time) {
        this.time = time;
    }

    /** A site is read no more. */
    void startGap(SiteId site) {
        since.computeIfAbsent(site, absent -> new ProcessPauseDetector(time));
    }

    /** It is read on. After too long an absence that is refused: everything has to be read anew. */
    void endGap(SiteId site) {
        ProcessPauseDetector processPauseDetector = since.remove(site);
        if (processPauseDetector != null) {
            processPauseDetector.checkForPause();
        }
    }
}
