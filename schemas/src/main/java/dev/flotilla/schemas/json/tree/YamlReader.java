package dev.flotilla.schemas.json.tree;

import dev.flotilla.schemas.row.RejectionReason;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads YAML 1.2, of which JSON is a subset, into the same values as {@link JsonReader}. Only the library's nodes are used, never
 * its objects: no tag can name a class, aliases are counted, and every value has its line.
 */
public final class YamlReader {
    private static final int MAX_ALIASES = 16;
    /** The maximum number of values. An alias is expanded at each use, so a small file can expand to a large tree. */
    private static final int MAX_NODES = 100_000;

    /** The maximum length of a whole number; a longer one does not fit a {@code long}. */
    private static final int MAX_WHOLE = 20;

    private final JsonPath jsonPath = new JsonPath();
    private final List<ParseError> errors = new ArrayList<>();
    private int nodes;

    private YamlReader() {}

    /** Reads a document with a maximum length in characters. */
    public static ParseResult read(String text, int maxCharacters) {
        if (text.length() > maxCharacters) {
            return unparsable(
                    RejectionReason.TOO_LARGE,
                    JsonValue.NO_LINE,
                    "has " + text.length() + " characters; at most " + maxCharacters + " are allowed");
        }
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(maxCharacters)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .setAllowRecursiveKeys(false)
                // Detected in this class instead, so that all of them are reported with their lines.
                .setAllowDuplicateKeys(true)
                .setUseMarks(true)
                // Read the whole text at once: the library fails on a surrogate pair at the end of its buffer.
                .setBufferSize(text.length() + 1)
                .build();
        try {
            Optional<ParseError> tooDeep = checkDepth(new Parse(settings), text);
            return tooDeep.isPresent()
                    ? new ParseResult.UnparsableDocument(tooDeep.get())
                    : new YamlReader().document(new Compose(settings), text);
        } catch (MarkedYamlEngineException e) {
            return unparsable(
                    RejectionReason.NOT_JSON, line(e.getProblemMark()), "is not well-formed YAML: " + problem(e));
        } catch (YamlEngineException e) {
            return unparsable(RejectionReason.NOT_JSON, JsonValue.NO_LINE, "is not well-formed YAML");
        }
    }

    /** Checks the depth of nesting in the stream of events, because composing is recursive and would overflow the stack. */
    private static Optional<ParseError> checkDepth(Parse parse, String text) {
        int depth = 0;
        for (Event event : parse.parseString(text)) {
            Event.ID id = event.getEventId();
            if (id == Event.ID.MappingStart || id == Event.ID.SequenceStart) {
                depth++;
            } else if (id == Event.ID.MappingEnd || id == Event.ID.SequenceEnd) {
                depth--;
            }
            if (depth > DocumentLimits.DEPTH) {
                return Optional.of(new ParseError(
                        RejectionReason.TOO_DEEP,
                        "",
                        line(event.getStartMark()),
                        "is nested deeper than " + DocumentLimits.DEPTH));
            }
        }
        return Optional.empty();
    }

    private ParseResult document(Compose compose, String text) {
        List<Node> documents = new ArrayList<>();
        for (Node document : compose.composeAllFromString(text)) {
            documents.add(document);
            if (documents.size() > 1) {
                return unparsable(
                        RejectionReason.NOT_JSON,
                        line(document.getStartMark()),
                        "has more than one document: give each a file of its own");
            }
        }
        if (documents.isEmpty()) {
            return unparsable(RejectionReason.NOT_JSON, JsonValue.NO_LINE, "is empty");
        }
        JsonValue jsonValue = value(documents.get(0));
        return jsonValue == null
                ? new ParseResult.UnparsableDocument(errors.get(errors.size() - 1))
                : new ParseResult.ParsedDocument(jsonValue, errors);
    }

    /** Returns the value of a node; null after it has reported why the document is rejected. */
    private @Nullable JsonValue value(Node node) {
        int line = line(node.getStartMark());
        if (jsonPath.depth() >= DocumentLimits.DEPTH) {
            return refuse(RejectionReason.TOO_DEEP, line, "is nested deeper than " + DocumentLimits.DEPTH);
        }
        nodes++;
        if (nodes > MAX_NODES) {
            return refuse(RejectionReason.TOO_LARGE, line, "expands to more than " + MAX_NODES + " values");
        }
        return switch (node) {
            case MappingNode mapping -> object(mapping, line);
            case SequenceNode sequence -> array(sequence, line);
            case ScalarNode scalar -> scalar(scalar, line);
            default -> refuse(RejectionReason.NOT_JSON, line, "is neither an object, a list nor a value");
        };
    }

    private @Nullable JsonValue array(SequenceNode sequence, int line) {
        List<JsonValue> items = new ArrayList<>();
        for (Node child : sequence.getValue()) {
            jsonPath.enter(items.size());
            JsonValue item = value(child);
            if (item == null) {
                return null;
            }
            jsonPath.leave();
            items.add(item);
        }
        return new JsonValue.JsonArray(items, line);
    }

    private @Nullable JsonValue object(MappingNode mapping, int line) {
        JsonObjectReader.Builder members = new JsonObjectReader.Builder(line);
        for (NodeTuple member : mapping.getValue()) {
            int keyLine = line(member.getKeyNode().getStartMark());
            if (!(member.getKeyNode() instanceof ScalarNode key)) {
                return refuse(RejectionReason.NOT_JSON, keyLine, "has a name that is not a text");
            }
            String name = key.getValue();
            boolean again = members.has(name);
            jsonPath.enter(name);
            if (again && errors.size() < DocumentLimits.PROBLEMS) {
                errors.add(new ParseError(
                        RejectionReason.DUPLICATE_KEY, jsonPath.toString(), keyLine, "is written more than once"));
            }
            JsonValue value = value(member.getValueNode());
            if (value == null) {
                return null;
            }
            jsonPath.leave();
            if (!again) {
                members.put(name, value);
            }
        }
        return members.build();
    }

    private static JsonValue scalar(ScalarNode scalar, int line) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.NULL)) {
            return new JsonValue.JsonNull(line);
        }
        if (tag.equals(Tag.BOOL)) {
            return new JsonValue.JsonBoolean(text.equalsIgnoreCase("true"), line);
        }
        if (tag.equals(Tag.INT)) {
            return whole(text, line);
        }
        return tag.equals(Tag.FLOAT) ? new JsonValue.JsonDecimal(text, line) : new JsonValue.JsonString(text, line);
    }

    private static JsonValue whole(String text, int line) {
        if (text.length() > MAX_WHOLE || !text.matches("-?[0-9]+")) {
            return new JsonValue.JsonDecimal(text, line);
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE
                ? new JsonValue.JsonInteger(number.longValueExact(), line)
                : new JsonValue.JsonDecimal(text, line);
    }

    private @Nullable JsonValue refuse(RejectionReason reason, int line, String problem) {
        errors.add(new ParseError(reason, jsonPath.toString(), line, problem));
        return null;
    }

    private static ParseResult unparsable(RejectionReason reason, int line, String problem) {
        return new ParseResult.UnparsableDocument(new ParseError(reason, "", line, problem));
    }

    /** Returns the library's short problem text, which quotes at most a character; its message quotes more. */
    private static String problem(MarkedYamlEngineException e) {
        String problem = e.getProblem();
        return problem == null ? "" : RedactedText.redact(problem);
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(at -> at.getLine() + 1).orElse(JsonValue.NO_LINE);
    }
}
