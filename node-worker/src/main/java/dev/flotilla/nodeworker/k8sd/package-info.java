/**
 * The API of the daemon on each machine: its two requests, its envelope, and what each response means for an attempt.
 * Does not know how a machine is reached or what a response is used for.
 */
@NullMarked
package dev.flotilla.nodeworker.k8sd;

import org.jspecify.annotations.NullMarked;
