/** Commands that run the services of a fleet until a signal ends them. They log to stderr. */
@NullMarked
package dev.flotilla.cli.process;

import org.jspecify.annotations.NullMarked;
