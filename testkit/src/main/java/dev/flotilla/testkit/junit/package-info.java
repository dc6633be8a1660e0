/** What JUnit does around every test of a module that uses this one. Needs JUnit, which only tests have. */
@NullMarked
package dev.flotilla.testkit.junit;

import org.jspecify.annotations.NullMarked;
