package dev.flotilla.core.fleet.time;

import dev.flotilla.schemas.row.MaintenanceWindow;
import java.util.List;

/** What maintenance calendars need to know about a rollout. */
public interface ScheduledRollout {
    /** Its own windows; empty for any time. */
    List<MaintenanceWindow> windows();

    /** Whether it can still start machines, and only in windows. */
    boolean hasWindowsAhead();

    /**
     * The duration that 95 % of its attempts of a class did not exceed, in milliseconds; zero while too few are known.
     */
    long expectedDurationMillis(String machineClass);
}
