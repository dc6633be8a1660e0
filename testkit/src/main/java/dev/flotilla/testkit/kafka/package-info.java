/**
 * The whole real Apache Kafka for tests and the demo: in this JVM, or as a process of its own that can be killed and
 * stopped. It knows no topic of ours and nothing of who uses it.
 */
@NullMarked
package dev.flotilla.testkit.kafka;

import org.jspecify.annotations.NullMarked;
