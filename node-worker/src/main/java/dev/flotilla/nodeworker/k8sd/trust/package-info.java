/**
 * Trust between a worker and a node: the certificate pins, stored in the management cluster for all workers of the site,
 * and the node's token.
 */
@NullMarked
package dev.flotilla.nodeworker.k8sd.trust;

import org.jspecify.annotations.NullMarked;
