/**
 * Real nodes for tests: a cluster of kubeadm on this machine, with kubelets, containerd and pods. It uses the scripts of
 * {@code testkit/node}, and no client library.
 */
@NullMarked
package dev.flotilla.testkit.node;

import org.jspecify.annotations.NullMarked;
