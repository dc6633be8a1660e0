package dev.flotilla.cli.terminal;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** JSON for people and programs alike: what fits on a line stands on one, the rest is indented. */
public final class JsonText {
    private static final int LINE = 100;
    private static final int STEP = 2;

    private JsonText() {}

    /** A number with at most three digits behind the point, as seconds are told. */
    public static Tree number(double value) {
        String written = String.format(Locale.ROOT, "%.3f", value);
        String short0 = written.replaceFirst("\\.?0+$", "");
        return new Tree.Inexact(
                short0.isEmpty() || short0.equals("-") || short0.equals("-0") ? "0" : short0, Tree.NO_LINE);
    }

    public static Tree text(@Nullable String value) {
        return value == null ? new Tree.Nothing(Tree.NO_LINE) : new Tree.Text(value, Tree.NO_LINE);
    }

    public static Tree list(List<? extends Tree> items) {
        return new Tree.Arr(new ArrayList<>(items), Tree.NO_LINE);
    }

    public static Tree texts(List<String> values) {
        return list(values.stream().map(JsonText::text).toList());
    }

    public static String of(Tree tree) {
        StringBuilder out = new StringBuilder();
        write(tree, 0, out);
        return out.append('\n').toString();
    }

    private static void write(Tree tree, int indent, StringBuilder out) {
        String line = line(tree);
        if (line.length() + indent <= LINE || !isNested(tree)) {
            out.append(line);
            return;
        }
        String inner = "\n" + " ".repeat(indent + STEP);
        boolean first = true;
        switch (tree) {
            case Obj obj -> {
                out.append('{');
                for (int i = 0; i < obj.size(); i++) {
                    out.append(first ? "" : ",").append(inner);
                    out.append(line(new Tree.Text(obj.name(i), Tree.NO_LINE))).append(": ");
                    write(obj.value(i), indent + STEP, out);
                    first = false;
                }
                out.append('\n').append(" ".repeat(indent)).append('}');
            }
            case Tree.Arr arr -> {
                out.append('[');
                for (Tree item : arr.items()) {
                    out.append(first ? "" : ",").append(inner);
                    write(item, indent + STEP, out);
                    first = false;
                }
                out.append('\n').append(" ".repeat(indent)).append(']');
            }
            default -> out.append(line);
        }
    }

    private static boolean isNested(Tree tree) {
        return (tree instanceof Obj obj && obj.size() > 0)
                || (tree instanceof Tree.Arr arr && !arr.items().isEmpty());
    }

    private static String line(Tree tree) {
        JsonWriter writer = new JsonWriter();
        writer.tree(tree);
        return new String(writer.toBytes(), StandardCharsets.UTF_8);
    }
}
