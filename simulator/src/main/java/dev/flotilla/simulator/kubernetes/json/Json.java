package dev.flotilla.simulator.kubernetes.json;

import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Trees that do not change: whoever holds an object of the store may keep it, and a write shares what it leaves alone. */
public final class Json {
    /** As much as the real one takes. */
    public static final int MOST_BYTES = 3 * 1024 * 1024;

    public static final Obj EMPTY = new Obj.Builder().build();

    private Json() {}

    /** An object of names and values in turn; a value that is null is left out with its name. */
    public static Obj object(@Nullable Object... namesAndValues) {
        Obj.Builder builder = new Obj.Builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                builder.put(String.valueOf(namesAndValues[i]), tree(value));
            }
        }
        return builder.build();
    }

    public static Tree.Arr list(Object... items) {
        return list(List.of(items));
    }

    public static Tree.Arr list(List<?> items) {
        List<Tree> trees = new ArrayList<>();
        for (Object item : items) {
            trees.add(tree(item));
        }
        return new Tree.Arr(trees, Tree.NO_LINE);
    }

    private static Tree tree(Object value) {
        return switch (value) {
            case Tree tree -> tree;
            case Boolean flag -> new Tree.Flag(flag, Tree.NO_LINE);
            case Integer whole -> new Tree.Whole(whole, Tree.NO_LINE);
            case Long whole -> new Tree.Whole(whole, Tree.NO_LINE);
            case List<?> items -> list(items);
            default -> new Tree.Text(value.toString(), Tree.NO_LINE);
        };
    }

    /** Reads a document; null where it is no JSON. */
    public static @Nullable Tree read(byte[] bytes) {
        return JsonReader.read(bytes, MOST_BYTES) instanceof Parsed.Whole whole ? whole.tree() : null;
    }

    public static byte[] bytes(Tree tree) {
        JsonWriter writer = new JsonWriter();
        writer.tree(tree);
        return writer.toBytes();
    }

    public static @Nullable Tree at(@Nullable Tree in, String... path) {
        Tree found = in;
        for (String name : path) {
            found = found instanceof Obj obj ? obj.get(name) : null;
        }
        return found;
    }

    /** The text there; empty where there is none. */
    public static String text(@Nullable Tree in, String... path) {
        return at(in, path) instanceof Tree.Text text ? text.value() : "";
    }

    /** The whole number there; 0 where there is none. */
    public static long whole(@Nullable Tree in, String... path) {
        return at(in, path) instanceof Tree.Whole whole ? whole.value() : 0;
    }

    /** The object there; an empty one where there is none. */
    public static Obj inner(@Nullable Tree in, String... path) {
        return at(in, path) instanceof Obj obj ? obj : EMPTY;
    }

    /** The list there; an empty one where there is none. */
    public static List<Tree> items(@Nullable Tree in, String... path) {
        return at(in, path) instanceof Tree.Arr arr ? arr.items() : List.of();
    }

    /** The same with another value there. */
    public static Obj with(Obj in, Object value, String... path) {
        return with(in, tree(value), path, 0);
    }

    private static Obj with(Obj in, Tree value, String[] path, int depth) {
        String name = path[depth];
        Tree next = depth == path.length - 1 ? value : with(inner(in, name), value, path, depth + 1);
        return in.toBuilder().put(name, next).build();
    }

    /** The same with nothing there. */
    public static Obj without(Obj in, String... path) {
        return at(in, path) == null ? in : without(in, path, 0);
    }

    private static Obj without(Obj in, String[] path, int depth) {
        Obj.Builder builder = new Obj.Builder();
        for (int i = 0; i < in.size(); i++) {
            if (!in.name(i).equals(path[depth])) {
                builder.put(in.name(i), in.value(i));
            } else if (depth < path.length - 1) {
                builder.put(in.name(i), without(inner(in, in.name(i)), path, depth + 1));
            }
        }
        return builder.build();
    }

    /** Whether they say the same, in whichever order. */
    public static boolean same(@Nullable Tree one, @Nullable Tree other) {
        if (one instanceof Obj a && other instanceof Obj b) {
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = same(a.value(i), b.get(a.name(i)));
            }
            return same;
        }
        if (one instanceof Tree.Arr a && other instanceof Tree.Arr b) {
            boolean same = a.items().size() == b.items().size();
            for (int i = 0; same && i < a.items().size(); i++) {
                same = same(a.items().get(i), b.items().get(i));
            }
            return same;
        }
        return one == null ? other == null : one.equals(other);
    }
}
