package dev.flotilla.simulator.kubernetes.json;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RFC 6902: operations one after the other, all of them or none. */
public final class JsonPatch {
    private static final int NOWHERE = -1;

    private JsonPatch() {}

    /** What becomes of a document; null where one of the operations cannot be done. */
    public static @Nullable Tree apply(Tree document, List<Tree> operations) {
        @Nullable Tree now = document;
        for (Tree operation : operations) {
            now = now == null ? null : one(now, operation);
        }
        return now;
    }

    private static @Nullable Tree one(Tree document, Tree operation) {
        List<String> path = pointer(Json.text(operation, "path"));
        Tree value = Json.at(operation, "value");
        return switch (Json.text(operation, "op")) {
            case "add" -> value == null ? null : put(document, path, value, false);
            case "replace" -> value == null ? null : put(document, path, value, true);
            case "remove" -> remove(document, path);
            case "test" -> passes(document, path, value) ? document : null;
            case "copy" -> copy(document, pointer(Json.text(operation, "from")), path);
            case "move" -> move(document, pointer(Json.text(operation, "from")), path);
            default -> null;
        };
    }

    /** As API servers take it: null is also what is missing in something that is there. */
    private static boolean passes(Tree document, List<String> path, @Nullable Tree value) {
        Tree found = find(document, path);
        if (found == null && value instanceof Tree.Nothing) {
            return !path.isEmpty() && find(document, path.subList(0, path.size() - 1)) != null;
        }
        return Json.same(found, value);
    }

    private static @Nullable Tree copy(Tree document, List<String> from, List<String> to) {
        Tree value = find(document, from);
        return value == null ? null : put(document, to, value, false);
    }

    private static @Nullable Tree move(Tree document, List<String> from, List<String> to) {
        Tree value = find(document, from);
        Tree without = value == null ? null : remove(document, from);
        return value == null || without == null ? null : put(without, to, value, false);
    }

    private static List<String> pointer(String path) {
        List<String> names = new ArrayList<>();
        if (!path.isEmpty()) {
            for (String part : path.substring(1).split("/", -1)) {
                names.add(part.replace("~1", "/").replace("~0", "~"));
            }
        }
        return names;
    }

    private static @Nullable Tree find(Tree in, List<String> path) {
        @Nullable Tree found = in;
        for (String name : path) {
            found = found == null ? null : child(found, name);
        }
        return found;
    }

    private static @Nullable Tree child(Tree in, String name) {
        if (in instanceof Tree.Arr arr) {
            int at = index(name, arr.items().size() - 1);
            return at == NOWHERE ? null : arr.items().get(at);
        }
        return in instanceof Obj obj ? obj.get(name) : null;
    }

    private static @Nullable Tree put(Tree in, List<String> path, Tree value, boolean mustBe) {
        if (path.isEmpty()) {
            return value;
        }
        String name = path.get(0);
        Tree before = child(in, name);
        boolean last = path.size() == 1;
        if (before == null && (!last || mustBe)) {
            return null;
        }
        Tree next = last || before == null ? value : put(before, path.subList(1, path.size()), value, mustBe);
        if (next == null) {
            return null;
        }
        if (in instanceof Tree.Arr arr) {
            List<Tree> items = new ArrayList<>(arr.items());
            int at = name.equals("-") ? items.size() : index(name, items.size());
            if (at == NOWHERE) {
                return null;
            }
            if (last && !mustBe) {
                items.add(at, next);
            } else {
                items.set(at, next);
            }
            return new Tree.Arr(items, Tree.NO_LINE);
        }
        return in instanceof Obj obj ? obj.toBuilder().put(name, next).build() : null;
    }

    private static @Nullable Tree remove(Tree in, List<String> path) {
        Tree before = path.isEmpty() ? null : child(in, path.get(0));
        if (before == null) {
            return null;
        }
        String name = path.get(0);
        if (path.size() > 1) {
            Tree next = remove(before, path.subList(1, path.size()));
            return next == null ? null : put(in, List.of(name), next, true);
        }
        if (in instanceof Tree.Arr arr) {
            List<Tree> items = new ArrayList<>(arr.items());
            items.remove(index(name, items.size() - 1));
            return new Tree.Arr(items, Tree.NO_LINE);
        }
        return in instanceof Obj obj ? Json.without(obj, name) : null;
    }

    private static int index(String name, int most) {
        if (name.isEmpty() || name.length() > 9 || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return NOWHERE;
        }
        int at = Integer.parseInt(name);
        return at <= most ? at : NOWHERE;
    }
}
