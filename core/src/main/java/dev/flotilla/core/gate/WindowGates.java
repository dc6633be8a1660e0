package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.schemas.id.ZoneName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Maintenance windows: they must be open, and what is started must be likely to end before they close. */
final class WindowGates {
    private WindowGates() {}

    static List<Gate> all() {
        return List.of(new Gate(
                GateLabel.WINDOW, Level.CLUSTER, Gate.Hold.NO_RENEWAL, WindowGates::isOpen, WindowGates::explain));
    }

    private static boolean isOpen(Candidate c) {
        long closes = closes(c);
        return closes == Long.MAX_VALUE || c.finishesControlPlane() || c.now().toEpochMilli() + c.takes() <= closes;
    }

    private static long closes(Candidate c) {
        return c.state().windowCloses(c.rollout(), c.cluster(), c.now());
    }

    private static Closed explain(Candidate c) {
        long closes = closes(c);
        if (closes >= 0) {
            Instant end = Instant.ofEpochMilli(closes);
            Duration takes = Duration.ofMillis(c.takes());
            return new Closed(
                    GateLabel.WINDOW,
                    c.now().plus(takes).toString(),
                    end.toString(),
                    "The window of cluster " + c.cluster().key() + " closes at " + end
                            + ", and what would be started now" + " is likely to take " + takes + ".");
        }
        ZoneName zone = c.state().zoneOf(c.cluster());
        String where = zone == null
                ? "nobody says in which time zone it is: annotate it, or write the zone into the site's policy"
                : c.state().knows(zone)
                        ? "its clocks are those of " + zone
                        : "nothing is known of its time zone " + zone + ", which keeps it closed";
        return new Closed(
                GateLabel.WINDOW,
                "closed",
                "open",
                "No window of cluster " + c.cluster().key() + " is open; " + where + ".");
    }
}
