/** Drives a site's machines through their upgrades: performs what the core's procedure wants done. */
@NullMarked
package dev.flotilla.nodeworker;

import org.jspecify.annotations.NullMarked;
