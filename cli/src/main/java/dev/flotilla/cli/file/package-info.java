/**
 * Files that commands read: text, problems, manifests and fleet descriptions. May use {@code schemas} and the terminal.
 */
@NullMarked
package dev.flotilla.cli.file;

import org.jspecify.annotations.NullMarked;
