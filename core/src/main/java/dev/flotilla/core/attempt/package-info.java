/** Decisions about attempts: admission, the worker's reports, timers, revoked leases, and every end. */
@NullMarked
package dev.flotilla.core.attempt;

import org.jspecify.annotations.NullMarked;
