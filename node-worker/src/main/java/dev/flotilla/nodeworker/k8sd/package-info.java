/**
 * The daemon on each machine, as one has to speak to it: its two requests, its envelope, and what each of its answers means
 * for an attempt. Knows nothing of how a machine is reached or of what an answer is used for.
 */
@NullMarked
package dev.flotilla.nodeworker.k8sd;

import org.jspecify.annotations.NullMarked;
