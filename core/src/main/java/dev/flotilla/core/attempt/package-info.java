/**
 * The life of an attempt: admission, the worker's reports, timers, licences taken back, and every way it ends.
 */
@NullMarked
package dev.flotilla.core.attempt;

import org.jspecify.annotations.NullMarked;
