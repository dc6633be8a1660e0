/**
 * The meters of a process. The values of a label are enum constants or names of sites. Machines and other entities with many instances
 * belong in the API and the journal, because each value of a label is a time series of its own.
 */
@NullMarked
package dev.flotilla.runtime.metrics;

import org.jspecify.annotations.NullMarked;
