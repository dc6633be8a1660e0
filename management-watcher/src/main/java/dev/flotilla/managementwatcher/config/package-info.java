/** What a management-watcher is told at its start. */
@NullMarked
package dev.flotilla.managementwatcher.config;

import org.jspecify.annotations.NullMarked;
