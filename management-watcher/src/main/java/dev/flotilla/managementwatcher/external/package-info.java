/**
 * ExternalUpgradeRequests: an HTTP hook by which a controller asks for an UpgradeTask and learns whether there will be
 * one. It keeps no state and writes no topic: the answer follows from objects, so that any watcher of the site gives it.
 */
@NullMarked
package dev.flotilla.managementwatcher.external;

import org.jspecify.annotations.NullMarked;
