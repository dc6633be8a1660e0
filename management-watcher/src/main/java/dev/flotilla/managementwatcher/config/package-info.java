/** The configuration of a management-watcher. */
@NullMarked
package dev.flotilla.managementwatcher.config;

import org.jspecify.annotations.NullMarked;
