/**
 * Real Apache Kafka for tests and the demonstration: in this JVM, or as a separate process that can be killed and
 * suspended. Has no dependency on Flotilla's topics or on its users.
 */
@NullMarked
package dev.flotilla.testkit.kafka;

import org.jspecify.annotations.NullMarked;
