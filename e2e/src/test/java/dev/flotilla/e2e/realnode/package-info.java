/** A fleet of real nodes: a cluster of kubeadm, its management cluster, and all processes of Flotilla. */
@NullMarked
package dev.flotilla.e2e.realnode;

import org.jspecify.annotations.NullMarked;
