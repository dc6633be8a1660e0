/** Verbs that are the processes of a fleet: each runs until it is told to end, and logs on stderr. */
@NullMarked
package dev.flotilla.cli.process;

import org.jspecify.annotations.NullMarked;
