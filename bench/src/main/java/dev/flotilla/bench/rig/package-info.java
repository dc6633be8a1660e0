/**
 * What benchmarks stand on: a broker with processes in front of it in a folder that goes when they do, fleets and what is
 * asked of them, and runs of ours and a plain client's in turn. What is measured in front of one broker is a scene.
 */
@NullMarked
package dev.flotilla.bench.rig;

import org.jspecify.annotations.NullMarked;
