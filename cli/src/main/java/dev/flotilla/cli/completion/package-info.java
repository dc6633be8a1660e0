/** What shells and kubectl show for a command line that is being typed, with the names of the fleet. Changes nothing. */
@NullMarked
package dev.flotilla.cli.completion;

import org.jspecify.annotations.NullMarked;
