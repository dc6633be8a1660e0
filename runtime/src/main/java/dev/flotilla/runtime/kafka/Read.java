package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.Place;

/**
 * A record as it was read, not yet decoded.
 *
 * @param appended when the broker took it, in milliseconds
 */
public record Read(Place place, long offset, long appended, WireRecord record) {}
