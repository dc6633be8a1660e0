/**
 * A model small enough for exhaustive search: two leaders, two workers, three machines, one crash each. The core and
 * the workers' upgrade procedure are the real ones; the fencing log and the nodes are modelled in a few lines. Nothing
 * waits in the model: the search explores which of the possible transitions happens next.
 */
@NullMarked
package dev.flotilla.simulator.exhaustive;

import org.jspecify.annotations.NullMarked;
