/** Real counterparts for tests and the demonstration: Kafka in the JVM, Kubernetes in processes. */
@NullMarked
package dev.flotilla.testkit;

import org.jspecify.annotations.NullMarked;
