/**
 * The benchmarks, and the limits they are held to. May use every module; nothing may use this one.
 */
@NullMarked
package dev.flotilla.bench;

import org.jspecify.annotations.NullMarked;
