/**
 * {@code flotilla demo}: real processes and a real broker upgrade the machines of simulated sites. The demonstration
 * follows the tables, kills the requested components, and collects the result. Its first line and its JSON say what is
 * real and what is simulated.
 */
@NullMarked
package dev.flotilla.cli.demo;

import org.jspecify.annotations.NullMarked;
