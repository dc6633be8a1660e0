/**
 * Flotilla on a real Kafka, a broker in a process of its own: each figure beside what a plain client does in the same run.
 * What the figures are measured in front of is a scene, with a broker and a folder of its own.
 */
@NullMarked
package dev.flotilla.bench.kafka;

import org.jspecify.annotations.NullMarked;
