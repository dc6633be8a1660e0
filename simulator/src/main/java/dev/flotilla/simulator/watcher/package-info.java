/**
 * A site's watcher: the only writer of its site's inventory and intents. It publishes what it sees with a delay, and
 * withholds the tombstones of machines that vanish in bulk until an operator has confirmed the deletions.
 */
@NullMarked
package dev.flotilla.simulator.watcher;

import org.jspecify.annotations.NullMarked;
