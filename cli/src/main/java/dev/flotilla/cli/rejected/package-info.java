/** The verb about records that could not be taken. */
@NullMarked
package dev.flotilla.cli.rejected;

import org.jspecify.annotations.NullMarked;
