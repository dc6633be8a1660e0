/** What all applications share: Kafka tables, configuration, health, metrics. */
@NullMarked
package dev.flotilla.runtime;

import org.jspecify.annotations.NullMarked;
