/**
 * Runs blocking calls on virtual threads.
 */
@NullMarked
package dev.flotilla.nodeworker.thread;

import org.jspecify.annotations.NullMarked;
