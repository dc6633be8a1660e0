package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.json.MalformedJson;
import org.jspecify.annotations.Nullable;

/**
 * What a table says of a key from a decision on.
 *
 * @param json the row as it stands there, null for a tombstone
 * @param row the same, understood
 */
public record Fact(
        Place place, @Nullable Json json, @Nullable Row row) {
    static Fact read(Fields fact) {
        String name = fact.text("topic");
        Topic topic = Topic.parse(name);
        if (topic == null) {
            throw new MalformedJson("names the unknown topic \"" + name + "\"");
        }
        Place place = new Place(topic, fact.text("key"));
        return of(place, fact.object().get("value"));
    }

    /** The fact that a value, or a tombstone, at a place is. */
    public static Fact of(Place place, @Nullable Json value) {
        return new Fact(place, value, value == null ? null : Rows.read(place, value));
    }
}
