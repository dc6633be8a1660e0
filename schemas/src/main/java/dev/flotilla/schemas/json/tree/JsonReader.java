package dev.flotilla.schemas.json.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.flotilla.schemas.row.RejectionReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON strictly: UTF-8, exactly one value, each name once, everything within {@link DocumentLimits}. Duplicate names are
 * detected here and not by the library, which has no path and cannot continue after one. Lines are not recorded, because a
 * record is one line.
 */
public final class JsonReader {
    /** The maximum length of a number; a longer one does not fit a {@code long} and is not parsed. */
    private static final int MAX_WHOLE = 20;

    private static final JsonFactory FACTORY = buildFactory(DocumentLimits.TEXT);
    private static final JsonFactory LONG_TEXTS = buildFactory(Integer.MAX_VALUE);

    private final JsonParser parser;
    private final JsonPath jsonPath = new JsonPath();
    private final List<ParseError> errors = new ArrayList<>();

    private JsonReader(JsonParser parser) {
        this.parser = parser;
    }

    private static JsonFactory buildFactory(int maxText) {
        return new JsonFactoryBuilder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        // The caller limits the size of a document and checks it before parsing.
                        // One more than allowed: the limit is checked in this class, which has the path.
                        .maxNestingDepth(DocumentLimits.DEPTH + 1)
                        .maxStringLength(maxText)
                        .maxNameLength(DocumentLimits.NAME)
                        .maxNumberLength(DocumentLimits.NUMBER)
                        .build())
                // Records are UTF-8. To detect other encodings would allow a second form of the same record.
                .disable(JsonFactory.Feature.CHARSET_DETECTION)
                // Names come from outside; interned names would never be freed.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }

    /** Reads a document with a maximum size in bytes. */
    public static ParseResult read(byte[] bytes, int maxBytes) {
        return read(FACTORY, bytes, maxBytes);
    }

    /** Reads a document with a maximum size in bytes, whose texts may be as long: objects of Kubernetes have whole files in them. */
    public static ParseResult readDocument(byte[] bytes, int maxBytes) {
        return read(LONG_TEXTS, bytes, maxBytes);
    }

    private static ParseResult read(JsonFactory factory, byte[] bytes, int maxBytes) {
        if (bytes.length > maxBytes) {
            return new ParseResult.UnparsableDocument(new ParseError(
                    RejectionReason.TOO_LARGE,
                    "",
                    JsonValue.NO_LINE,
                    "has " + bytes.length + " bytes; at most " + maxBytes + " are allowed"));
        }
        try (JsonParser parser = factory.createParser(bytes)) {
            return new JsonReader(parser).document();
        } catch (IOException e) {
            // Reading from memory cannot fail; errors of the text are handled above.
            return new ParseResult.UnparsableDocument(
                    new ParseError(RejectionReason.NOT_JSON, "", JsonValue.NO_LINE, "is not well-formed JSON"));
        }
    }

    private ParseResult document() {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return unparsable(RejectionReason.NOT_JSON, "is empty");
            }
            JsonValue jsonValue = value(first);
            if (jsonValue == null) {
                return unparsable(RejectionReason.TOO_DEEP, "is nested deeper than " + DocumentLimits.DEPTH);
            }
            if (parser.nextToken() != null) {
                return unparsable(RejectionReason.NOT_JSON, "has content after the JSON value");
            }
            return new ParseResult.ParsedDocument(jsonValue, errors);
        } catch (StreamConstraintsException e) {
            return unparsable(
                    RejectionReason.TOO_LARGE,
                    "has a text of more than " + DocumentLimits.TEXT + " characters, a name of more than "
                            + DocumentLimits.NAME + " or a number of more than " + DocumentLimits.NUMBER);
        } catch (IOException | IllegalStateException e) {
            // Not the library's message: it quotes the text, which may contain a secret.
            return unparsable(RejectionReason.NOT_JSON, "is not well-formed JSON");
        }
    }

    private ParseResult unparsable(RejectionReason reason, String problem) {
        return new ParseResult.UnparsableDocument(new ParseError(
                reason,
                jsonPath.toString(),
                JsonValue.NO_LINE,
                problem + " (near byte " + parser.currentLocation().getByteOffset() + ")"));
    }

    /** Reads the value that begins with a token; null if it is nested too deep, after that was reported with its path. */
    private @Nullable JsonValue value(JsonToken token) throws IOException {
        boolean begins = token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
        if (begins && jsonPath.depth() >= DocumentLimits.DEPTH) {
            return null;
        }
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> new JsonValue.JsonString(parser.getText(), JsonValue.NO_LINE);
            case VALUE_NUMBER_INT -> number();
            case VALUE_NUMBER_FLOAT -> new JsonValue.JsonDecimal(parser.getText(), JsonValue.NO_LINE);
            case VALUE_TRUE -> new JsonValue.JsonBoolean(true, JsonValue.NO_LINE);
            case VALUE_FALSE -> new JsonValue.JsonBoolean(false, JsonValue.NO_LINE);
            case VALUE_NULL, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE, FIELD_NAME, END_ARRAY, END_OBJECT ->
                new JsonValue.JsonNull(JsonValue.NO_LINE);
        };
    }

    private JsonValue number() throws IOException {
        if (parser.getTextLength() > MAX_WHOLE) {
            return new JsonValue.JsonDecimal(parser.getText(), JsonValue.NO_LINE);
        }
        return switch (parser.getNumberType()) {
            case INT, LONG -> new JsonValue.JsonInteger(parser.getLongValue(), JsonValue.NO_LINE);
            case BIG_INTEGER, BIG_DECIMAL, DOUBLE, FLOAT ->
                new JsonValue.JsonDecimal(parser.getText(), JsonValue.NO_LINE);
        };
    }

    private @Nullable JsonValue array() throws IOException {
        List<JsonValue> items = new ArrayList<>();
        JsonToken token = parser.nextToken();
        while (token != JsonToken.END_ARRAY) {
            jsonPath.enter(items.size());
            JsonValue item = value(token);
            if (item == null) {
                return null;
            }
            items.add(item);
            jsonPath.leave();
            token = parser.nextToken();
        }
        return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
    }

    private @Nullable JsonValue object() throws IOException {
        JsonObjectReader.Builder members = new JsonObjectReader.Builder();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            boolean again = members.has(name);
            jsonPath.enter(name);
            if (again && errors.size() < DocumentLimits.PROBLEMS) {
                errors.add(new ParseError(
                        RejectionReason.DUPLICATE_KEY,
                        jsonPath.toString(),
                        JsonValue.NO_LINE,
                        "is written more than once"));
            }
            JsonValue value = value(parser.nextToken());
            if (value == null) {
                return null;
            }
            jsonPath.leave();
            if (!again) {
                members.add(name, value);
            }
        }
        return members.build();
    }
}
