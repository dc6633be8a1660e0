/** The SLF4J backend: writes log events to stderr, one line each, as text or as JSON. It uses nothing but SLF4J. */
@NullMarked
package dev.flotilla.logging;

import org.jspecify.annotations.NullMarked;
