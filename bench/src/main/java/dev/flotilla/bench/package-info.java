/**
 * The benchmarks with their floors and goals. May use every module; no module may use this one.
 */
@NullMarked
package dev.flotilla.bench;

import org.jspecify.annotations.NullMarked;
