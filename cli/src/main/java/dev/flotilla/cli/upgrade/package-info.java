/** Commands about an upgrade of Flotilla itself. */
@NullMarked
package dev.flotilla.cli.upgrade;

import org.jspecify.annotations.NullMarked;
