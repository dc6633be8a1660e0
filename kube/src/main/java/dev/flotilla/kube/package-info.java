/**
 * A client for Kubernetes API servers that works on JSON objects of any kind. Each request is sent once, and the number of concurrent
 * requests is limited. All calls block and are intended for virtual threads.
 */
@NullMarked
package dev.flotilla.kube;

import org.jspecify.annotations.NullMarked;
