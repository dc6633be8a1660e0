package dev.flotilla.kafka;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TablePartition;

/**
 * A record that was read from Kafka and is not decoded yet.
 *
 * @param appendedAt when the broker appended it, in milliseconds
 */
public record ConsumedRecord(TablePartition partition, long offset, long appendedAt, WireRecord record) {}
