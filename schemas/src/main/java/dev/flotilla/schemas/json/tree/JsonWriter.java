package dev.flotilla.schemas.json.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes canonical JSON: no whitespace, names in the given order, UTF-8, escapes only where JSON requires them. Written by hand,
 * because equal rows must have equal bytes, independent of a library's version.
 */
public final class JsonWriter {
    private static final int INITIAL = 1_024;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[INITIAL];
    private int size;
    /** Whether the next name or value needs a comma before it. */
    private boolean comma;

    private final List<byte[]> parts = new ArrayList<>(2);
    private int partsOpen;
    private int partBegan;

    /** Encodes a name with its colon, so that a writer of many records encodes it only once. */
    public static byte[] encodeName(String name) {
        JsonWriter writer = new JsonWriter();
        writer.quoted(name);
        writer.raw(':');
        return writer.toBytes();
    }

    public void beginObject() {
        separate();
        raw('{');
        comma = false;
    }

    public void endObject() {
        raw('}');
        comma = true;
    }

    public void beginArray() {
        separate();
        raw('[');
        comma = false;
    }

    public void endArray() {
        raw(']');
        comma = true;
    }

    public void name(byte[] encodedName) {
        separate();
        room(encodedName.length);
        System.arraycopy(encodedName, 0, bytes, size, encodedName.length);
        size += encodedName.length;
        comma = false;
    }

    public void name(String name) {
        separate();
        quoted(name);
        raw(':');
        comma = false;
    }

    public void text(String value) {
        separate();
        quoted(value);
        comma = true;
    }

    public void integer(long value) {
        plain(Long.toString(value));
    }

    public void bool(boolean value) {
        plain(value ? "true" : "false");
    }

    /** Writes a value with all its members. */
    public void jsonValue(JsonValue jsonValue) {
        switch (jsonValue) {
            case JsonValue.JsonString jsonString -> text(jsonString.value());
            case JsonValue.JsonInteger jsonInteger -> integer(jsonInteger.value());
            case JsonValue.JsonDecimal jsonDecimal -> plain(jsonDecimal.text());
            case JsonValue.JsonBoolean jsonBoolean -> bool(jsonBoolean.value());
            case JsonValue.JsonNull jsonNull -> plain("null");
            case JsonValue.JsonArray jsonArray -> {
                beginArray();
                for (JsonValue item : jsonArray.items()) {
                    jsonValue(item);
                }
                endArray();
            }
            case JsonObjectReader jsonObjectReader -> {
                beginObject();
                for (int i = 0; i < jsonObjectReader.size(); i++) {
                    name(jsonObjectReader.name(i));
                    jsonValue(jsonObjectReader.value(i));
                }
                endObject();
            }
        }
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** Begins a part: the next value is also returned by {@link #parts}. A part within a part is not. */
    public void beginPart() {
        if (partsOpen++ == 0) {
            partBegan = size;
        }
    }

    public void endPart() {
        if (--partsOpen == 0) {
            parts.add(Arrays.copyOfRange(bytes, partBegan, size));
        }
    }

    /** Returns the bytes of all parts so far, in order. */
    public List<byte[]> parts() {
        return parts;
    }

    private void plain(String ascii) {
        separate();
        room(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[size++] = (byte) ascii.charAt(i);
        }
        comma = true;
    }

    private void separate() {
        if (comma) {
            raw(',');
        }
    }

    private void quoted(String value) {
        int length = value.length();
        room(length + 2);
        bytes[size++] = '"';
        byte[] out = bytes;
        int to = size;
        int from = 0;
        while (from < length) {
            char c = value.charAt(from);
            if (c < 0x20 || c == '"' || c == '\\' || c >= 0x80) {
                break;
            }
            out[to++] = (byte) c;
            from++;
        }
        size = to;
        if (from < length) {
            beyondPlain(value, from);
        }
        raw('"');
    }

    /** Writes the rest of a text from the first character that is escaped or not ASCII. */
    private void beyondPlain(String value, int from) {
        for (int i = from; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                escaped(c);
            } else if (c < 0x80) {
                raw(c);
            } else {
                i += beyondAscii(value, i);
            }
        }
    }

    private void escaped(char c) {
        switch (c) {
            case '"', '\\' -> pair(c);
            case '\b' -> pair('b');
            case '\f' -> pair('f');
            case '\n' -> pair('n');
            case '\r' -> pair('r');
            case '\t' -> pair('t');
            default -> {
                pair('u');
                raw('0');
                raw('0');
                raw(HEX[c >> 4]);
                raw(HEX[c & 0xF]);
            }
        }
    }

    private void pair(char c) {
        raw('\\');
        raw(c);
    }

    /** Writes one non-ASCII character; returns the number of UTF-16 units it has besides the first. */
    private int beyondAscii(String value, int at) {
        int point = value.codePointAt(at);
        if (point < 0x800) {
            raw(0xC0 | (point >> 6));
            continuation(point);
            return 0;
        }
        if (point < 0x10000) {
            // An unpaired surrogate has no UTF-8 form: write the replacement character.
            int written = Character.isSurrogate((char) point) ? 0xFFFD : point;
            raw(0xE0 | (written >> 12));
            continuation(written >> 6);
            continuation(written);
            return 0;
        }
        raw(0xF0 | (point >> 18));
        continuation(point >> 12);
        continuation(point >> 6);
        continuation(point);
        return 1;
    }

    private void continuation(int bits) {
        raw(0x80 | (bits & 0x3F));
    }

    private void raw(int b) {
        room(1);
        bytes[size++] = (byte) b;
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
