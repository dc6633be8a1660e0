package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long a leader has read nothing of sites that it had read before. A site that comes back is read on from where it was
 * left, and for that its tombstones must still be there.
 */
final class Absences {
    private final TimeSource time;
    private final Map<SiteId, Attendance> since = new LinkedHashMap<>();

    Absences(TimeSource time) {
        this.time = time;
    }

    /** A site is read no more. */
    void begin(SiteId site) {
        since.computeIfAbsent(site, absent -> new Attendance(time));
    }

    /** It is read on. After too long an absence that is refused: everything has to be read anew. */
    void end(SiteId site) {
        Attendance attendance = since.remove(site);
        if (attendance != null) {
            attendance.present();
        }
    }
}
