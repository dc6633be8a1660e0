/** Commands about rejected records. */
@NullMarked
package dev.flotilla.cli.rejected;

import org.jspecify.annotations.NullMarked;
