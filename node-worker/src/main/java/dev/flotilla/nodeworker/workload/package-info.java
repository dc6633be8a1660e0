/**
 * The workload clusters, through their own API servers: inspection of a node, whether its cluster can lose it now, and
 * cordon and drain. All requests are made as the user {@code flotilla:node-worker}, whatever the kubeconfig allows.
 */
@NullMarked
package dev.flotilla.nodeworker.workload;

import org.jspecify.annotations.NullMarked;
