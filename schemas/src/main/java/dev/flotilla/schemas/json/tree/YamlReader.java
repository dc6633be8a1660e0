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
 * Reads YAML 1.2, and JSON as a part of it, into the same tree as {@link JsonReader}. Only the nodes of the library are
 * used, never its objects: no tag can name a class, aliases are counted, and every value keeps its line.
 */
public final class YamlReader {
    private static final int MAX_ALIASES = 16;
    /** An alias is read anew at each use, so a small file can still unfold into a large tree. */
    private static final int MAX_NODES = 100_000;

    /** Longer numbers are no {@code long}. */
    private static final int MAX_WHOLE = 20;

    private final Place place = new Place();
    private final List<Unreadable> flaws = new ArrayList<>();
    private int nodes;

    private YamlReader() {}

    /** Reads a document of at most so many characters. */
    public static Parsed read(String text, int maxCharacters) {
        if (text.length() > maxCharacters) {
            return broken(
                    RejectionReason.TOO_LARGE,
                    Tree.NO_LINE,
                    "has " + text.length() + " characters; at most " + maxCharacters + " are taken");
        }
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(maxCharacters)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .setAllowRecursiveKeys(false)
                // Found here instead, so that all of them are told, with their lines.
                .setAllowDuplicateKeys(true)
                .setUseMarks(true)
                // The whole text in one read: the library trips over a surrogate pair at the edge of its buffer.
                .setBufferSize(text.length() + 1)
                .build();
        try {
            Optional<Unreadable> tooDeep = tooDeep(new Parse(settings), text);
            return tooDeep.isPresent()
                    ? new Parsed.Broken(tooDeep.get())
                    : new YamlReader().document(new Compose(settings), text);
        } catch (MarkedYamlEngineException e) {
            return broken(RejectionReason.NOT_JSON, line(e.getProblemMark()), "is not well-formed YAML: " + problem(e));
        } catch (YamlEngineException e) {
            return broken(RejectionReason.NOT_JSON, Tree.NO_LINE, "is not well-formed YAML");
        }
    }

    /** Looks for too deep a nesting in the stream of events: composing is recursive, and its only bound is the stack. */
    private static Optional<Unreadable> tooDeep(Parse parse, String text) {
        int depth = 0;
        for (Event event : parse.parseString(text)) {
            Event.ID id = event.getEventId();
            if (id == Event.ID.MappingStart || id == Event.ID.SequenceStart) {
                depth++;
            } else if (id == Event.ID.MappingEnd || id == Event.ID.SequenceEnd) {
                depth--;
            }
            if (depth > Bounds.DEPTH) {
                return Optional.of(new Unreadable(
                        RejectionReason.TOO_DEEP,
                        "",
                        line(event.getStartMark()),
                        "is nested deeper than " + Bounds.DEPTH));
            }
        }
        return Optional.empty();
    }

    private Parsed document(Compose compose, String text) {
        List<Node> documents = new ArrayList<>();
        for (Node document : compose.composeAllFromString(text)) {
            documents.add(document);
            if (documents.size() > 1) {
                return broken(RejectionReason.NOT_JSON, line(document.getStartMark()), "has more than one document");
            }
        }
        if (documents.isEmpty()) {
            return broken(RejectionReason.NOT_JSON, Tree.NO_LINE, "is empty");
        }
        Tree tree = value(documents.get(0));
        return tree == null ? new Parsed.Broken(flaws.get(flaws.size() - 1)) : new Parsed.Whole(tree, flaws);
    }

    /** The tree of a node; null after telling why the whole document cannot be taken. */
    private @Nullable Tree value(Node node) {
        int line = line(node.getStartMark());
        if (place.depth() >= Bounds.DEPTH) {
            return refuse(RejectionReason.TOO_DEEP, line, "is nested deeper than " + Bounds.DEPTH);
        }
        nodes++;
        if (nodes > MAX_NODES) {
            return refuse(RejectionReason.TOO_LARGE, line, "unfolds into more than " + MAX_NODES + " values");
        }
        return switch (node) {
            case MappingNode mapping -> object(mapping, line);
            case SequenceNode sequence -> array(sequence, line);
            case ScalarNode scalar -> scalar(scalar, line);
            default -> refuse(RejectionReason.NOT_JSON, line, "is neither an object, a list nor a value");
        };
    }

    private @Nullable Tree array(SequenceNode sequence, int line) {
        List<Tree> items = new ArrayList<>();
        for (Node child : sequence.getValue()) {
            place.enter(items.size());
            Tree item = value(child);
            if (item == null) {
                return null;
            }
            place.leave();
            items.add(item);
        }
        return new Tree.Arr(items, line);
    }

    private @Nullable Tree object(MappingNode mapping, int line) {
        Obj.Builder members = new Obj.Builder(line);
        for (NodeTuple member : mapping.getValue()) {
            int keyLine = line(member.getKeyNode().getStartMark());
            if (!(member.getKeyNode() instanceof ScalarNode key)) {
                return refuse(RejectionReason.NOT_JSON, keyLine, "has a name that is no text");
            }
            String name = key.getValue();
            boolean again = members.has(name);
            place.enter(name);
            if (again && flaws.size() < Bounds.PROBLEMS) {
                flaws.add(new Unreadable(
                        RejectionReason.DUPLICATE_KEY, place.toString(), keyLine, "is written more than once"));
            }
            Tree value = value(member.getValueNode());
            if (value == null) {
                return null;
            }
            place.leave();
            if (!again) {
                members.put(name, value);
            }
        }
        return members.build();
    }

    private static Tree scalar(ScalarNode scalar, int line) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.NULL)) {
            return new Tree.Nothing(line);
        }
        if (tag.equals(Tag.BOOL)) {
            return new Tree.Flag(text.equalsIgnoreCase("true"), line);
        }
        if (tag.equals(Tag.INT)) {
            return whole(text, line);
        }
        return tag.equals(Tag.FLOAT) ? new Tree.Inexact(text, line) : new Tree.Text(text, line);
    }

    private static Tree whole(String text, int line) {
        if (text.length() > MAX_WHOLE || !text.matches("-?[0-9]+")) {
            return new Tree.Inexact(text, line);
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE
                ? new Tree.Whole(number.longValueExact(), line)
                : new Tree.Inexact(text, line);
    }

    private @Nullable Tree refuse(RejectionReason reason, int line, String problem) {
        flaws.add(new Unreadable(reason, place.toString(), line, problem));
        return null;
    }

    private static Parsed broken(RejectionReason reason, int line, String problem) {
        return new Parsed.Broken(new Unreadable(reason, "", line, problem));
    }

    /** The library's short word on it, which quotes at most a character, unlike its message. */
    private static String problem(MarkedYamlEngineException e) {
        String problem = e.getProblem();
        return problem == null ? "" : Shown.of(problem);
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(at -> at.getLine() + 1).orElse(Tree.NO_LINE);
    }
}
