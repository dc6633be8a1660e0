/**
 * The operators of a world: policies, campaigns and orders at random times, objects that are labelled, held, replaced
 * and removed, unreadable records; and an operator who completes all remaining work at the end.
 */
@NullMarked
package dev.flotilla.simulator.operator;

import org.jspecify.annotations.NullMarked;
