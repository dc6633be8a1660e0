/**
 * {@code flotilla demo}: a simulated fleet that is upgraded at a speed at which a person can watch. Paces the play by the
 * wall clock, shows it, and adds it up. What is simulated and what is not it says in its first line and in its JSON.
 */
@NullMarked
package dev.flotilla.cli.demo;

import org.jspecify.annotations.NullMarked;
