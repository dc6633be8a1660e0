/**
 * Tables as a plain Kafka client sees them: the demonstration and tests read and write them without an application of
 * Flotilla. Uses only the wire format.
 */
@NullMarked
package dev.flotilla.testkit.tables;

import org.jspecify.annotations.NullMarked;
