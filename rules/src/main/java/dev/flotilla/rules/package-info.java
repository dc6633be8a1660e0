/**
 * Rules for the whole source: allowed module dependencies, purity of the core, file style. The rules are the tests of
 * this module, which has no other code.
 */
@NullMarked
package dev.flotilla.rules;

import org.jspecify.annotations.NullMarked;
