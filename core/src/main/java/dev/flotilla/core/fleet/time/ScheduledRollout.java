package dev.flotilla.core.fleet.time;

import dev.flotilla.schemas.row.MaintenanceWindow;
import java.util.List;

/** What maintenance calendars have to know of a rollout. */
public interface ScheduledRollout {
    /** The windows of its own in which it may start machines; none for at any time. */
    List<MaintenanceWindow> windows();

    /** Whether it may still start machines, and only in its windows. */
    boolean hasWindowsAhead();

    /** How long 95 of 100 of its attempts of a machine class took at most, in milliseconds; zero while too few are known. */
    long expectedDurationMillis(String machineClass);
}
