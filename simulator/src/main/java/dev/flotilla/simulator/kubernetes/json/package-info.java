/**
 * Kubernetes objects as trees: parsing and building them, and the two kinds of patch. Has no dependency on a store or
 * HTTP.
 */
@NullMarked
package dev.flotilla.simulator.kubernetes.json;

import org.jspecify.annotations.NullMarked;
