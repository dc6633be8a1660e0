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
 * Reads JSON strictly: UTF-8, one value and nothing behind it, each key once, everything within {@link Bounds}. Duplicate
 * keys are found here and not by the library, which knows neither the path nor how to go on after one. Lines are not
 * kept: a record is one line.
 */
public final class JsonReader {
    /** Longer numbers are no {@code long}; they are not even parsed. */
    private static final int MAX_WHOLE = 20;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    // How long a document may be is for the caller to say, and found before it is parsed.
                    // One more than is taken: the bound is found here, where the path is known.
                    .maxNestingDepth(Bounds.DEPTH + 1)
                    .maxStringLength(Bounds.TEXT)
                    .maxNameLength(Bounds.NAME)
                    .maxNumberLength(Bounds.NUMBER)
                    .build())
            // The wire is UTF-8; a guess at anything else would be a second way to write the same record.
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            // Names come from outside; interned they would never leave the memory.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final JsonParser parser;
    private final Place place = new Place();
    private final List<Unreadable> flaws = new ArrayList<>();

    private JsonReader(JsonParser parser) {
        this.parser = parser;
    }

    /** Reads a document of at most so many bytes. */
    public static Parsed read(byte[] bytes, int maxBytes) {
        if (bytes.length > maxBytes) {
            return new Parsed.Broken(new Unreadable(
                    RejectionReason.TOO_LARGE,
                    "",
                    Tree.NO_LINE,
                    "has " + bytes.length + " bytes; at most " + maxBytes + " are taken"));
        }
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            return new JsonReader(parser).document();
        } catch (IOException e) {
            // From memory nothing but the text itself can fail, and that is told where it happens.
            return new Parsed.Broken(
                    new Unreadable(RejectionReason.NOT_JSON, "", Tree.NO_LINE, "is not well-formed JSON"));
        }
    }

    private Parsed document() {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return broken(RejectionReason.NOT_JSON, "is empty");
            }
            Tree tree = value(first);
            if (tree == null) {
                return broken(RejectionReason.TOO_DEEP, "is nested deeper than " + Bounds.DEPTH);
            }
            if (parser.nextToken() != null) {
                return broken(RejectionReason.NOT_JSON, "has something behind the JSON value");
            }
            return new Parsed.Whole(tree, flaws);
        } catch (StreamConstraintsException e) {
            return broken(
                    RejectionReason.TOO_LARGE,
                    "holds a text above " + Bounds.TEXT + " characters, a name above " + Bounds.NAME
                            + ", or a number above " + Bounds.NUMBER);
        } catch (IOException | IllegalStateException e) {
            // The library's own words quote the text, and the text may hold a secret.
            return broken(RejectionReason.NOT_JSON, "is not well-formed JSON");
        }
    }

    private Parsed broken(RejectionReason reason, String problem) {
        return new Parsed.Broken(new Unreadable(
                reason,
                place.toString(),
                Tree.NO_LINE,
                problem + " (near byte " + parser.currentLocation().getByteOffset() + ")"));
    }

    /** The tree of what begins with a token; null if it is nested too deep, with the place where. */
    private @Nullable Tree value(JsonToken token) throws IOException {
        boolean begins = token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
        if (begins && place.depth() >= Bounds.DEPTH) {
            return null;
        }
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> new Tree.Text(parser.getText(), Tree.NO_LINE);
            case VALUE_NUMBER_INT -> number();
            case VALUE_NUMBER_FLOAT -> new Tree.Inexact(parser.getText(), Tree.NO_LINE);
            case VALUE_TRUE -> new Tree.Flag(true, Tree.NO_LINE);
            case VALUE_FALSE -> new Tree.Flag(false, Tree.NO_LINE);
            case VALUE_NULL, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE, FIELD_NAME, END_ARRAY, END_OBJECT ->
                new Tree.Nothing(Tree.NO_LINE);
        };
    }

    private Tree number() throws IOException {
        if (parser.getTextLength() > MAX_WHOLE) {
            return new Tree.Inexact(parser.getText(), Tree.NO_LINE);
        }
        return switch (parser.getNumberType()) {
            case INT, LONG -> new Tree.Whole(parser.getLongValue(), Tree.NO_LINE);
            case BIG_INTEGER, BIG_DECIMAL, DOUBLE, FLOAT -> new Tree.Inexact(parser.getText(), Tree.NO_LINE);
        };
    }

    private @Nullable Tree array() throws IOException {
        List<Tree> items = new ArrayList<>();
        JsonToken token = parser.nextToken();
        while (token != JsonToken.END_ARRAY) {
            place.enter(items.size());
            Tree item = value(token);
            if (item == null) {
                return null;
            }
            items.add(item);
            place.leave();
            token = parser.nextToken();
        }
        return new Tree.Arr(items, Tree.NO_LINE);
    }

    private @Nullable Tree object() throws IOException {
        Obj.Builder members = new Obj.Builder();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            boolean again = members.has(name);
            place.enter(name);
            if (again && flaws.size() < Bounds.PROBLEMS) {
                flaws.add(new Unreadable(
                        RejectionReason.DUPLICATE_KEY, place.toString(), Tree.NO_LINE, "is written more than once"));
            }
            Tree value = value(parser.nextToken());
            if (value == null) {
                return null;
            }
            place.leave();
            if (!again) {
                members.add(name, value);
            }
        }
        return members.build();
    }
}
