/**
 * The Kubernetes side of a node upgrader, for one attempt: inspection, guards, preconditions, the route to the node,
 * and cleanup. Methods return futures; inside, each attempt blocks a virtual thread.
 */
@NullMarked
package dev.flotilla.nodeworker.node;

import org.jspecify.annotations.NullMarked;
