/**
 * The only package that uses the Kafka client and handles its difficulties: threads, late revocation, fencing, unknown outcomes. Its
 * API has table partitions, records and {@link KafkaFailure}.
 */
@NullMarked
package dev.flotilla.kafka;

import org.jspecify.annotations.NullMarked;
