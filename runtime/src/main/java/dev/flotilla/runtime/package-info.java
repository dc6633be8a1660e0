/** Common parts of all applications: Kafka clients, configuration, HTTP server, metrics, shutdown. */
@NullMarked
package dev.flotilla.runtime;

import org.jspecify.annotations.NullMarked;
