/**
 * The API of the daemon on each machine. {@link dev.flotilla.nodeworker.k8sd.K8sdConnection} sends a request, directly or
 * through a proxy pod, and {@link dev.flotilla.nodeworker.k8sd.K8sdResultClassifier} says what a response means for an
 * attempt (5). Does not know what a response is used for.
 */
@NullMarked
package dev.flotilla.nodeworker.k8sd;

import org.jspecify.annotations.NullMarked;
