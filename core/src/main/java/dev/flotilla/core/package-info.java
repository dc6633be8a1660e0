/**
 * The decisions. What may start, when and why is computed here from rows alone, and handed back as rows; nothing is
 * performed. May use {@code schemas} and the plain values of the JDK, and nothing that has a clock, a thread, chance,
 * a locale, a file or an order that differs between two runs.
 */
@NullMarked
package dev.flotilla.core;

import org.jspecify.annotations.NullMarked;
