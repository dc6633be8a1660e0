/**
 * The clusters that are upgraded, by their own API servers: what a node shows of itself, whether its cluster can bear to lose
 * it now, and cordon and drain. Everything is done as the user {@code flotilla:node-worker}, whatever the kubeconfig may do.
 */
@NullMarked
package dev.flotilla.nodeworker.workload;

import org.jspecify.annotations.NullMarked;
