/**
 * What the procedure's acts do to Kubernetes objects, put together for one attempt: a look, guards, the judgement before the
 * call, the way to the node, and undoing it all. Futures outward; inside, each attempt has a virtual thread to block.
 */
@NullMarked
package dev.flotilla.nodeworker.node;

import org.jspecify.annotations.NullMarked;
