/** Keeps up with the objects of a management cluster: lists in pages, watches, and lists again where that is the only way. */
@NullMarked
package dev.flotilla.managementwatcher.watch;

import org.jspecify.annotations.NullMarked;
