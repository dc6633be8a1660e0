/** Writes what was seen into the site's own tables, as their one writer, and says that the site is being watched. */
@NullMarked
package dev.flotilla.managementwatcher.publish;

import org.jspecify.annotations.NullMarked;
