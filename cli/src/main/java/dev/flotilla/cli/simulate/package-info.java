/**
 * {@code flotilla simulate}: seeds of the simulated world, the transcript of one seed, broken cores, the exhaustive
 * search, and virtual rollouts on a described fleet.
 */
@NullMarked
package dev.flotilla.cli.simulate;

import org.jspecify.annotations.NullMarked;
