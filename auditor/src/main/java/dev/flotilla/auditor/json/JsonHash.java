package dev.flotilla.auditor.json;

import java.util.Map;

/** A 64-bit hash of a JSON value, independent of the order of members. */
public final class JsonHash {
    private static final long BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    private JsonHash() {}

    public static long hashOf(JsonValue jsonValue) {
        return switch (jsonValue) {
            case JsonValue.JsonNull none -> mixed(BASIS, 'n');
            case JsonValue.JsonBoolean jsonBoolean -> mixed(BASIS, jsonBoolean.value() ? 't' : 'f');
            case JsonValue.JsonNumber number -> text(mixed(BASIS, '#'), number.digits());
            case JsonValue.JsonString jsonString -> text(mixed(BASIS, '"'), jsonString.value());
            case JsonValue.JsonArray array -> {
                long hash = mixed(BASIS, '[');
                for (JsonValue item : array.items()) {
                    hash = mixed(hash, hashOf(item));
                }
                yield hash;
            }
            case JsonValue.JsonObject object -> {
                long sum = 0;
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    sum += mixed(text(BASIS, member.getKey()), hashOf(member.getValue()));
                }
                yield mixed(mixed(BASIS, '{'), sum);
            }
        };
    }

    private static long text(long hash, String text) {
        long mixed = hash;
        for (int i = 0; i < text.length(); i++) {
            mixed = (mixed ^ text.charAt(i)) * PRIME;
        }
        return mixed(mixed, text.length());
    }

    private static long mixed(long hash, long value) {
        long mixed = (hash ^ value) * PRIME;
        mixed ^= mixed >>> 32;
        return mixed * 0x9E3779B97F4A7C15L;
    }
}
