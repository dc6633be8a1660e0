/**
 * Decisions about preparations: which machine is prepared next, and how a preparation ended. A preparation changes nothing that
 * runs, so it needs no slot, and its failure costs nothing but time.
 */
@NullMarked
package dev.flotilla.core.preparation;

import org.jspecify.annotations.NullMarked;
