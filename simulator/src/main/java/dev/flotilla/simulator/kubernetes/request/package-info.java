/**
 * How the API of a cluster answers requests: paths, selectors, patches, evictions, discovery. Requests and responses
 * are values; the parent package handles HTTP.
 */
@NullMarked
package dev.flotilla.simulator.kubernetes.request;

import org.jspecify.annotations.NullMarked;
