/** The management-watcher: what a site's management cluster has and wants into the site's tables, and what came of it back. */
@NullMarked
package dev.flotilla.managementwatcher;

import org.jspecify.annotations.NullMarked;
