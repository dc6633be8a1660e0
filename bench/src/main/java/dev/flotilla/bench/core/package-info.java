/**
 * The figures of the core: how close its rollouts come to what is possible, and what a decision and a machine cost.
 */
@NullMarked
package dev.flotilla.bench.core;

import org.jspecify.annotations.NullMarked;
