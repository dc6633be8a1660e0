/**
 * Files on disk as the verbs read them: their text, all that is wrong with one, and the description of a fleet to play
 * campaigns on. May use {@code schemas} and the terminal.
 */
@NullMarked
package dev.flotilla.cli.file;

import org.jspecify.annotations.NullMarked;
