package dev.flotilla.cli.kafka;

import dev.flotilla.schemas.json.Codecs;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows as JSON, as they stand on the wire, and what tells two of them apart. */
public final class RowTree {
    private static final int MOST_BYTES = 8 * 1024 * 1024;

    private RowTree() {}

    public static Tree of(@Nullable Row row) {
        if (row == null) {
            return new Tree.Nothing(Tree.NO_LINE);
        }
        return switch (JsonReader.read(Codecs.encode(row), MOST_BYTES)) {
            case Parsed.Whole whole -> whole.tree();
            case Parsed.Broken broken -> throw new IllegalStateException("what we wrote cannot be read: " + broken);
        };
    }

    /** A row's fields, a line each; none for no row. */
    public static List<String> fields(@Nullable Row row) {
        Map<String, String> fields = new TreeMap<>();
        if (row != null) {
            collect("", of(row), fields);
        }
        List<String> lines = new ArrayList<>();
        fields.forEach((path, value) -> lines.add("  " + path + ": " + value));
        return lines;
    }

    /** The fields in which rows differ, each with what it was and what it is. */
    public static List<String> differences(Row before, Row after) {
        Map<String, String> was = new TreeMap<>();
        Map<String, String> is = new TreeMap<>();
        collect("", of(before), was);
        collect("", of(after), is);
        List<String> fields = new ArrayList<>();
        Map<String, String> all = new TreeMap<>(was);
        all.putAll(is);
        for (String path : all.keySet()) {
            String old = was.getOrDefault(path, "none");
            String now = is.getOrDefault(path, "none");
            if (!old.equals(now)) {
                fields.add(path + ": " + old + " -> " + now);
            }
        }
        return fields;
    }

    private static void collect(String path, Tree tree, Map<String, String> into) {
        switch (tree) {
            case Obj obj -> {
                for (int i = 0; i < obj.size(); i++) {
                    collect(path.isEmpty() ? obj.name(i) : path + "." + obj.name(i), obj.value(i), into);
                }
            }
            case Tree.Arr arr -> {
                for (int i = 0; i < arr.items().size(); i++) {
                    collect(path + "[" + i + "]", arr.items().get(i), into);
                }
            }
            case Tree.Text text -> into.put(path, text.value());
            case Tree.Whole whole -> into.put(path, Long.toString(whole.value()));
            case Tree.Inexact number -> into.put(path, number.written());
            case Tree.Flag flag -> into.put(path, Boolean.toString(flag.value()));
            case Tree.Nothing nothing -> into.put(path, "null");
        }
    }
}
