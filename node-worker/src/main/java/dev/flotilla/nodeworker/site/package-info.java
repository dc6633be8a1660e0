/** Node upgraders: they use a node client for Kubernetes objects and connections to k8sd. */
@NullMarked
package dev.flotilla.nodeworker.site;

import org.jspecify.annotations.NullMarked;
