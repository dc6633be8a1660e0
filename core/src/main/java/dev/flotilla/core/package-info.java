/**
 * The decisions. The core computes from rows alone what may start, when and why, and returns rows; it performs nothing.
 * It uses {@code schemas} and plain values of the JDK, and nothing with a clock, a thread, randomness, a locale, a file
 * or an iteration order that differs between runs.
 */
@NullMarked
package dev.flotilla.core;

import org.jspecify.annotations.NullMarked;
