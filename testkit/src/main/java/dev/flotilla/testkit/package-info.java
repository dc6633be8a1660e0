/** Real counterparts for tests and the demo: Kafka in the JVM. */
@NullMarked
package dev.flotilla.testkit;

import org.jspecify.annotations.NullMarked;
