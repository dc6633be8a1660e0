/** Commands about policies: list those in force, and show or change the caps. */
@NullMarked
package dev.flotilla.cli.policy;

import org.jspecify.annotations.NullMarked;
