/**
 * Sites, clusters and machines, as their rows say. Read {@code MachineView} first.
 */
@NullMarked
package dev.flotilla.core.fleet.inventory;

import org.jspecify.annotations.NullMarked;
