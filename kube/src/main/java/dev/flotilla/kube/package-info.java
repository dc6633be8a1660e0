/**
 * An API server as the applications speak to it: requests on trees of JSON, each made once, with a bound on how many run at a time.
 * Knows no kinds. Everything in here blocks, and is meant for virtual threads.
 */
@NullMarked
package dev.flotilla.kube;

import org.jspecify.annotations.NullMarked;
