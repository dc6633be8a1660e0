/**
 * What the API of a cluster answers to a request: paths, selectors, patches, evictions, discovery. Requests and answers are
 * values; who speaks HTTP is the package above.
 */
@NullMarked
package dev.flotilla.simulator.kubernetes.request;

import org.jspecify.annotations.NullMarked;
