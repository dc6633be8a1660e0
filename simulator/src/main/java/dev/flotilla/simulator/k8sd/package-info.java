/**
 * The daemon on each simulated node, as its real one looks from outside: real HTTPS, real envelopes, its own errors and its
 * own silences. Simulated is what stands behind it.
 */
@NullMarked
package dev.flotilla.simulator.k8sd;

import org.jspecify.annotations.NullMarked;
