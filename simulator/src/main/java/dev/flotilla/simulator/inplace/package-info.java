/**
 * A small seeded world of clusters whose machines Cluster API updates in place: campaigns that open them, a watcher that writes versions,
 * Cluster API that asks for machines, and people who interfere. It has no log and no crashes, but restores the leader's state from its rows
 * now and then.
 */
@NullMarked
package dev.flotilla.simulator.inplace;

import org.jspecify.annotations.NullMarked;
