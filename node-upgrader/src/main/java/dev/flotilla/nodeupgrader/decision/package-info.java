/**
 * Decides what is done next for one NodeUpgrade, from the object and from what was observed of its cluster. It has no clock and no
 * I/O, and keeps nothing between two decisions: after a restart the same objects give the same decision.
 */
@NullMarked
package dev.flotilla.nodeupgrader.decision;

import org.jspecify.annotations.NullMarked;
