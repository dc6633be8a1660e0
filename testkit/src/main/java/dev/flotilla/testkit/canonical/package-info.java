/**
 * A test double of Canonical's three controllers for in-place upgrades, for tests with a real API server: it changes
 * objects as they do, including their mistakes. It contains none of their code.
 */
@NullMarked
package dev.flotilla.testkit.canonical;

import org.jspecify.annotations.NullMarked;
