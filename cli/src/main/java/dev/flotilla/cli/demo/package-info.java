/**
 * {@code flotilla demo}: a fleet that is upgraded while a person watches, by real processes at a real broker, with
 * simulated sites behind them. Follows it by the tables alone, kills what it is asked to, and adds it up. What is
 * simulated and what is not it says in its first line and in its JSON.
 */
@NullMarked
package dev.flotilla.cli.demo;

import org.jspecify.annotations.NullMarked;
