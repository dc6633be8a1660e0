/**
 * The one place that knows the Kafka client, with its traps: threads, revocation after the fact, fencing, outcomes that
 * are not known. Outside of it there are places, records and {@link KafkaFailure}.
 */
@NullMarked
package dev.flotilla.runtime.kafka;

import org.jspecify.annotations.NullMarked;
