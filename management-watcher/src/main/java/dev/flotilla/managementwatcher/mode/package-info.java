/** The mode of a site: who acts on the provider's annotations. It is detected from what runs there, or set. */
@NullMarked
package dev.flotilla.managementwatcher.mode;

import org.jspecify.annotations.NullMarked;
