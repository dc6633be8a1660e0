package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Places in a document, as problems name them: {@code spec.windows[0].zone}. */
final class TreePath {
    private static final Pattern PART = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)]");

    private TreePath() {}

    /** The line on which a place stands; {@link Tree#NO_LINE} for one that is not there. */
    static int lineOf(Tree tree, String path) {
        Tree at = tree;
        for (MatchResult part : PART.matcher(path).results().toList()) {
            at = part.group(1) == null ? item(at, Integer.parseInt(part.group(2))) : member(at, part.group(1));
            if (at == null) {
                return Tree.NO_LINE;
            }
        }
        return at.line();
    }

    private static @Nullable Tree member(Tree tree, String name) {
        return tree instanceof Obj obj ? obj.get(name) : null;
    }

    private static @Nullable Tree item(Tree tree, int index) {
        return tree instanceof Tree.Arr array && index < array.items().size()
                ? array.items().get(index)
                : null;
    }
}
