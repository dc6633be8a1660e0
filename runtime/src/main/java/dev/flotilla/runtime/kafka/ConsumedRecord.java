package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TablePartition;

/**
 * A record as it was read, not yet decoded.
 *
 * @param appendedAt when the broker took it, in milliseconds
 */
public record ConsumedRecord(TablePartition partition, long offset, long appendedAt, WireRecord record) {}
