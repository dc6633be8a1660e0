package dev.flotilla.schemas.json.tree;

import java.nio.charset.StandardCharsets;

/** A tree as JSON for people: indented, one member a line, an end of line at the end. */
public final class PrettyJson {
    private static final int INDENT = 2;

    private final StringBuilder out = new StringBuilder();

    private PrettyJson() {}

    public static String print(Tree tree) {
        PrettyJson json = new PrettyJson();
        json.append(tree, 0);
        return json.out.append('\n').toString();
    }

    private void append(Tree tree, int depth) {
        switch (tree) {
            case Obj obj -> object(obj, depth);
            case Tree.Arr arr -> array(arr, depth);
            case Tree.Text text -> leaf(text);
            case Tree.Whole whole -> leaf(whole);
            case Tree.Inexact inexact -> leaf(inexact);
            case Tree.Flag flag -> leaf(flag);
            case Tree.Nothing nothing -> leaf(nothing);
        }
    }

    private void object(Obj obj, int depth) {
        if (obj.size() == 0) {
            out.append("{}");
            return;
        }
        out.append('{');
        for (int i = 0; i < obj.size(); i++) {
            line(i, depth + 1);
            leaf(new Tree.Text(obj.name(i), Tree.NO_LINE));
            out.append(": ");
            append(obj.value(i), depth + 1);
        }
        line(0, depth);
        out.append('}');
    }

    private void array(Tree.Arr arr, int depth) {
        boolean nested = arr.items().stream().anyMatch(item -> item instanceof Obj || item instanceof Tree.Arr);
        out.append('[');
        for (int i = 0; i < arr.items().size(); i++) {
            if (nested) {
                line(i, depth + 1);
            } else {
                out.append(i == 0 ? "" : ", ");
            }
            append(arr.items().get(i), depth + 1);
        }
        if (nested) {
            line(0, depth);
        }
        out.append(']');
    }

    private void line(int index, int depth) {
        out.append(index == 0 ? "" : ",").append('\n').append(" ".repeat(INDENT * depth));
    }

    private void leaf(Tree tree) {
        JsonWriter writer = new JsonWriter();
        writer.tree(tree);
        out.append(new String(writer.toBytes(), StandardCharsets.UTF_8));
    }
}
