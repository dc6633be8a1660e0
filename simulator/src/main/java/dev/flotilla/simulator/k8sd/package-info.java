/**
 * The daemon on each simulated node, as it looks from outside: real HTTPS, the real response envelope, the real error
 * messages, and missing responses. Only the node behind it is simulated.
 */
@NullMarked
package dev.flotilla.simulator.k8sd;

import org.jspecify.annotations.NullMarked;
