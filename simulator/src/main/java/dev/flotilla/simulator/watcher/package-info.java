/**
 * A site's watcher: publishes what it sees, late, as the one writer of its site's inventory and intents, and holds back
 * the tombstones of machines that vanish in bulk until somebody has said that they are really gone.
 */
@NullMarked
package dev.flotilla.simulator.watcher;

import org.jspecify.annotations.NullMarked;
