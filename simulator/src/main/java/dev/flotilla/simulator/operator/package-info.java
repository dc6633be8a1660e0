/**
 * The people of a world: policies, campaigns and orders at random moments, objects that are labelled, held, replaced and
 * removed, records that nobody can read; and in the end somebody who does all that is waited for.
 */
@NullMarked
package dev.flotilla.simulator.operator;

import org.jspecify.annotations.NullMarked;
