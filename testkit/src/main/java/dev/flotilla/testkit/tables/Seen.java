package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.topic.Place;

/**
 * A fact with where it stands.
 *
 * @param appended when the broker took it, in milliseconds
 */
public record Seen(Place place, long offset, long appended, Fact fact) {}
