/** The node-worker: upgrades a site's machines by performing the actions of the core's upgrade procedure. */
@NullMarked
package dev.flotilla.nodeworker;

import org.jspecify.annotations.NullMarked;
