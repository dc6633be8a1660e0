/** Verbs about sites: their topics and rights, whether all is as an upgrade needs it, and which there are. */
@NullMarked
package dev.flotilla.cli.site;

import org.jspecify.annotations.NullMarked;
