package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TablePartition;

/**
 * A record as it was read, not yet decoded.
 *
 * @param appended when the broker took it, in milliseconds
 */
public record Read(TablePartition place, long offset, long appended, WireRecord record) {}
