/** What was decided and what came of it, back on the objects: annotations, Events, and the sweep of guards that were left. */
@NullMarked
package dev.flotilla.managementwatcher.report;

import org.jspecify.annotations.NullMarked;
