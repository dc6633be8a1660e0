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
    private static final int INITIAL_SIZE = 1_024;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[INITIAL_SIZE];
    private int size;
    /** Whether the next name or value needs a comma before it. */
    private boolean comma;

    private final List<byte[]> parts = new ArrayList<>(2);
    private int partsOpen;
    private int partStart;

    /** Encodes a name with its colon, so that a writer of many records encodes it only once. */
    public static byte[] encodeName(String name) {
        JsonWriter writer = new JsonWriter();
        writer.writeQuoted(name);
        writer.writeByte(':');
        return writer.toBytes();
    }

    public void beginObject() {
        writeSeparator();
        writeByte('{');
        comma = false;
    }

    public void endObject() {
        writeByte('}');
        comma = true;
    }

    public void beginArray() {
        writeSeparator();
        writeByte('[');
        comma = false;
    }

    public void endArray() {
        writeByte(']');
        comma = true;
    }

    public void name(byte[] encodedName) {
        writeSeparator();
        ensureCapacity(encodedName.length);
        System.arraycopy(encodedName, 0, bytes, size, encodedName.length);
        size += encodedName.length;
        comma = false;
    }

    public void name(String name) {
        writeSeparator();
        writeQuoted(name);
        writeByte(':');
        comma = false;
    }

    public void text(String value) {
        writeSeparator();
        writeQuoted(value);
        comma = true;
    }

    public void integer(long value) {
        writeAscii(Long.toString(value));
    }

    public void bool(boolean value) {
        writeAscii(value ? "true" : "false");
    }

    /** Writes a value with all its members. */
    public void jsonValue(JsonValue jsonValue) {
        switch (jsonValue) {
            case JsonValue.JsonString jsonString -> text(jsonString.value());
            case JsonValue.JsonInteger jsonInteger -> integer(jsonInteger.value());
            case JsonValue.JsonDecimal jsonDecimal -> writeAscii(jsonDecimal.text());
            case JsonValue.JsonBoolean jsonBoolean -> bool(jsonBoolean.value());
            case JsonValue.JsonNull jsonNull -> writeAscii("null");
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
            partStart = size;
        }
    }

    public void endPart() {
        if (--partsOpen == 0) {
            parts.add(Arrays.copyOfRange(bytes, partStart, size));
        }
    }

    /** Returns the bytes of all parts so far, in order. */
    public List<byte[]> parts() {
        return parts;
    }

    private void writeAscii(String ascii) {
        writeSeparator();
        ensureCapacity(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[size++] = (byte) ascii.charAt(i);
        }
        comma = true;
    }

    private void writeSeparator() {
        if (comma) {
            writeByte(',');
        }
    }

    private void writeQuoted(String value) {
        int length = value.length();
        ensureCapacity(length + 2);
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
            writeEscaped(value, from);
        }
        writeByte('"');
    }

    /** Writes the rest of a text from the first character that is escaped or not ASCII. */
    private void writeEscaped(String value, int from) {
        for (int i = from; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                writeEscape(c);
            } else if (c < 0x80) {
                writeByte(c);
            } else {
                i += writeNonAscii(value, i);
            }
        }
    }

    private void writeEscape(char c) {
        switch (c) {
            case '"', '\\' -> writeShortEscape(c);
            case '\b' -> writeShortEscape('b');
            case '\f' -> writeShortEscape('f');
            case '\n' -> writeShortEscape('n');
            case '\r' -> writeShortEscape('r');
            case '\t' -> writeShortEscape('t');
            default -> {
                writeShortEscape('u');
                writeByte('0');
                writeByte('0');
                writeByte(HEX[c >> 4]);
                writeByte(HEX[c & 0xF]);
            }
        }
    }

    private void writeShortEscape(char c) {
        writeByte('\\');
        writeByte(c);
    }

    /** Writes one non-ASCII character; returns the number of UTF-16 units it has besides the first. */
    private int writeNonAscii(String value, int at) {
        int point = value.codePointAt(at);
        if (point < 0x800) {
            writeByte(0xC0 | (point >> 6));
            writeContinuationByte(point);
            return 0;
        }
        if (point < 0x10000) {
            // An unpaired surrogate has no UTF-8 form: write the replacement character.
            int written = Character.isSurrogate((char) point) ? 0xFFFD : point;
            writeByte(0xE0 | (written >> 12));
            writeContinuationByte(written >> 6);
            writeContinuationByte(written);
            return 0;
        }
        writeByte(0xF0 | (point >> 18));
        writeContinuationByte(point >> 12);
        writeContinuationByte(point >> 6);
        writeContinuationByte(point);
        return 1;
    }

    private void writeContinuationByte(int bits) {
        writeByte(0x80 | (bits & 0x3F));
    }

    private void writeByte(int b) {
        ensureCapacity(1);
        bytes[size++] = (byte) b;
    }

    private void ensureCapacity(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
