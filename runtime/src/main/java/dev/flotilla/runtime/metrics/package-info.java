/**
 * The meters of a process and how they are read. A label is one of few: enums and site names. What there are many of,
 * such as machines, belongs into the API and the journal, since every value of a label is a time series for ever.
 */
@NullMarked
package dev.flotilla.runtime.metrics;

import org.jspecify.annotations.NullMarked;
