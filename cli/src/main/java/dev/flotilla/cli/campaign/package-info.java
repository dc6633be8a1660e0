/**
 * Verbs about the files that operators write: campaigns and policies. Reads files, asks {@code schemas} what is wrong
 * with them, and tells all of it.
 */
@NullMarked
package dev.flotilla.cli.campaign;

import org.jspecify.annotations.NullMarked;
