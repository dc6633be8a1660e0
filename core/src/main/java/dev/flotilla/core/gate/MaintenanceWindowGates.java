package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.MaintenanceWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Maintenance windows: they must be open, and what is started must be likely to end before they close. */
final class MaintenanceWindowGates {
    private MaintenanceWindowGates() {}

    static List<Gate> all() {
        return List.of(new Gate(
                GateLabel.MAINTENANCE_WINDOW,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.STOP_RENEWAL,
                MaintenanceWindowGates::isOpen,
                MaintenanceWindowGates::explain));
    }

    private static boolean isOpen(StartCandidate c) {
        long closes = closes(c);
        return closes == Long.MAX_VALUE
                || c.finishesControlPlane()
                || c.now().toEpochMilli() + c.expectedDurationMillis() <= closes;
    }

    private static long closes(StartCandidate c) {
        return c.state().windowClosesAt(c.rollout(), c.cluster(), c.now());
    }

    private static ClosedGate explain(StartCandidate c) {
        long closes = closes(c);
        Instant opens = c.state().windowOpensAt(c.rollout(), c.cluster(), c.now(), c.expectedDurationMillis());
        if (closes >= 0) {
            Instant end = Instant.ofEpochMilli(closes);
            Duration takes = Duration.ofMillis(c.expectedDurationMillis());
            return new ClosedGate(
                    GateLabel.MAINTENANCE_WINDOW,
                    c.now().plus(takes).toString(),
                    end.toString(),
                    "The window of cluster " + c.cluster().key() + " closes at " + end
                            + ", and what would be started now is likely to take " + takes + "." + next(opens),
                    opens);
        }
        return new ClosedGate(
                GateLabel.MAINTENANCE_WINDOW,
                "closed",
                "open",
                "No window of cluster " + c.cluster().key() + " is open; " + clocks(c) + "." + next(opens),
                opens);
    }

    private static String next(@Nullable Instant opens) {
        return opens == null ? "" : " The next one in which it fits opens at " + opens + ".";
    }

    /** By which clocks its windows open, and why some never do. */
    private static String clocks(StartCandidate c) {
        TimeZoneName own = c.state().timeZoneOf(c.cluster());
        SortedSet<String> known = new TreeSet<>();
        SortedSet<String> unknown = new TreeSet<>();
        boolean unstated = false;
        for (MaintenanceWindow window : c.state().windows(c.rollout(), c.cluster())) {
            TimeZoneName zone = window.timeZone() == null ? own : window.timeZone();
            if (zone == null) {
                unstated = true;
            } else {
                (c.state().knowsTimeZone(zone) ? known : unknown).add(zone.id());
            }
        }
        List<String> says = new ArrayList<>();
        if (!known.isEmpty()) {
            says.add("the clocks of " + String.join(", ", known) + " count");
        }
        if (!unknown.isEmpty()) {
            says.add("time zone " + String.join(", ", unknown) + " is unknown, so windows in it never open");
        }
        if (unstated) {
            says.add(
                    "windows without a zone never open, because the cluster's time zone is not stated: annotate the Cluster"
                            + " with flotilla.dev/time-zone, or set calendar.timeZone in the site's policy");
        }
        return String.join("; ", says);
    }
}
