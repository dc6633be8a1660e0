/**
 * Tables as anybody with a plain Kafka client sees them: what the demonstration and tests read and write without any
 * application of ours in between. Uses the contract on the wire and nothing else of ours.
 */
@NullMarked
package dev.flotilla.testkit.tables;

import org.jspecify.annotations.NullMarked;
