/** Who acts on the provider's keys in a site: found out from what runs there, or as somebody has set it. */
@NullMarked
package dev.flotilla.managementwatcher.mode;

import org.jspecify.annotations.NullMarked;
