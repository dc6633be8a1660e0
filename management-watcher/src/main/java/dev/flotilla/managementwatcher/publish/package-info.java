/** Publishes the site's rows and heartbeat, as the only writer of the site's tables. */
@NullMarked
package dev.flotilla.managementwatcher.publish;

import org.jspecify.annotations.NullMarked;
