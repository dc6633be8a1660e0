/** Verbs about the rules of the fleet and of sites: which are in force, and how many machines may be in flight. */
@NullMarked
package dev.flotilla.cli.policy;

import org.jspecify.annotations.NullMarked;
