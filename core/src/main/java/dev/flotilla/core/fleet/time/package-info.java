/**
 * Maintenance windows, timers and how long attempts take. Read {@code MaintenanceCalendars} first.
 */
@NullMarked
package dev.flotilla.core.fleet.time;

import org.jspecify.annotations.NullMarked;
