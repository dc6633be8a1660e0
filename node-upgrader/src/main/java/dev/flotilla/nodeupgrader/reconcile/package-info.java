/** Keeps every open NodeUpgrade going: reads it, decides, performs one write, and begins again. */
@NullMarked
package dev.flotilla.nodeupgrader.reconcile;

import org.jspecify.annotations.NullMarked;
