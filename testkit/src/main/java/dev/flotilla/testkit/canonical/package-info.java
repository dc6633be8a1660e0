/**
 * A double of Canonical's three controllers for in-place upgrades, for tests that have a real API server: it does to objects what
 * they do, with their mistakes. None of their code is in it.
 */
@NullMarked
package dev.flotilla.testkit.canonical;

import org.jspecify.annotations.NullMarked;
