/**
 * {@code flotilla simulate}: seeds of the simulated world, the story of one, the cores that are broken on purpose, and a
 * campaign against a described fleet in virtual time.
 */
@NullMarked
package dev.flotilla.cli.simulate;

import org.jspecify.annotations.NullMarked;
