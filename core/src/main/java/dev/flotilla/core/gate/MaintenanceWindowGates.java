package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.MaintenanceWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The gate of the maintenance windows: a window must be open, and must stay open for the expected duration of the
 * upgrade.
 */
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
            Duration expectedDuration = Duration.ofMillis(c.expectedDurationMillis());
            return new ClosedGate(
                    GateLabel.MAINTENANCE_WINDOW,
                    c.now().plus(expectedDuration).toString(),
                    end.toString(),
                    "The maintenance window of cluster " + c.cluster().key() + " closes at " + end
                            + ", but an upgrade is expected to take " + expectedDuration + "."
                            + describeNextOpening(opens),
                    opens,
                    opens == null);
        }
        return new ClosedGate(
                GateLabel.MAINTENANCE_WINDOW,
                "closed",
                "open",
                "No maintenance window of cluster " + c.cluster().key() + " is open; " + describeTimeZones(c) + "."
                        + describeNextOpening(opens),
                opens,
                opens == null);
    }

    private static String describeNextOpening(@Nullable Instant opens) {
        return opens == null ? "" : " The next window that is long enough opens at " + opens + ".";
    }

    /** Which time zones the windows follow, and why some windows never open. */
    private static String describeTimeZones(StartCandidate c) {
        TimeZoneName clusterTimeZone = c.state().timeZoneOf(c.cluster());
        SortedSet<String> known = new TreeSet<>();
        SortedSet<String> unknown = new TreeSet<>();
        boolean hasWindowWithoutTimeZone = false;
        for (MaintenanceWindow window : c.state().windows(c.rollout(), c.cluster())) {
            TimeZoneName timeZone = window.timeZone() == null ? clusterTimeZone : window.timeZone();
            if (timeZone == null) {
                hasWindowWithoutTimeZone = true;
            } else {
                (c.state().knowsTimeZone(timeZone) ? known : unknown).add(timeZone.id());
            }
        }
        List<String> sentences = new ArrayList<>();
        if (!known.isEmpty()) {
            sentences.add("its windows follow the clocks of " + String.join(", ", known));
        }
        if (!unknown.isEmpty()) {
            sentences.add("time zone " + String.join(", ", unknown) + " is unknown, so windows in it never open");
        }
        if (hasWindowWithoutTimeZone) {
            sentences.add(
                    "windows without a time zone never open, because the cluster's time zone is unknown: set annotation"
                            + " " + AnnotationKeys.TIME_ZONE
                            + " on the Cluster, or calendar.timeZone in the site's policy");
        }
        return String.join("; ", sentences);
    }
}
