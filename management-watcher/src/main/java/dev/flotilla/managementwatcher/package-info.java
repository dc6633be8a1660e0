/**
 * The management-watcher: publishes the inventory and upgrade intents of a site's management cluster, and writes the
 * status of upgrades back to its objects.
 */
@NullMarked
package dev.flotilla.managementwatcher;

import org.jspecify.annotations.NullMarked;
