/**
 * Ports of pods through an API server, the way in which Canonical's providers reach k8sd: the pod of k8sd-proxy on a node, a
 * port-forward to it, and its near end on the loopback of this machine.
 */
@NullMarked
package dev.flotilla.nodeworker.forward;

import org.jspecify.annotations.NullMarked;
