/**
 * Extensions that JUnit applies to every test of a module that uses this one. Needs JUnit, so only tests may use it.
 */
@NullMarked
package dev.flotilla.testkit.junit;

import org.jspecify.annotations.NullMarked;
