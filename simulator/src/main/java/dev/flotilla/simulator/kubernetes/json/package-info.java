/** Kubernetes objects as trees: reading and building them, and the two kinds of patch. Knows no store and no HTTP. */
@NullMarked
package dev.flotilla.simulator.kubernetes.json;

import org.jspecify.annotations.NullMarked;
