/**
 * Keeps the objects of a management cluster up to date: lists in pages, watches, and lists again where versions cannot
 * be trusted.
 */
@NullMarked
package dev.flotilla.managementwatcher.watch;

import org.jspecify.annotations.NullMarked;
