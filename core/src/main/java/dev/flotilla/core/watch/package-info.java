/**
 * What a site's watcher decides without I/O: whether the rows of machines that disappeared may be removed. The
 * management-watcher and the simulator use the same.
 */
@NullMarked
package dev.flotilla.core.watch;

import org.jspecify.annotations.NullMarked;
