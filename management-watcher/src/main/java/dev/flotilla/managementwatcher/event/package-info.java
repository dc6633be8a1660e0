/** What happens in the watcher, for its log, its metrics and its probes. */
@NullMarked
package dev.flotilla.managementwatcher.event;

import org.jspecify.annotations.NullMarked;
