/** Verbs about sites: their topics and rights, and which there are. Whether all is as an upgrade needs it is in {@code check}. */
@NullMarked
package dev.flotilla.cli.site;

import org.jspecify.annotations.NullMarked;
