/**
 * Port-forwards to pods through an API server, as Canonical's providers reach k8sd: the pod of k8sd-proxy on a node, a
 * port-forward to it, and its local end on this machine.
 */
@NullMarked
package dev.flotilla.nodeworker.k8sd.forward;

import org.jspecify.annotations.NullMarked;
