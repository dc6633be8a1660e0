package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settings of another program: names and texts, of which none may be a secret. Numbers and flags are taken as written. */
record TextsCodec() implements Codec<SortedMap<String, String>> {
    private static final int MAX = 256;

    @Override
    public @Nullable SortedMap<String, String> read(Tree tree, Problems problems) {
        if (!(tree instanceof Obj obj)) {
            problems.wrongType(tree, "an object of texts");
            return null;
        }
        if (obj.size() > MAX) {
            problems.badValue(tree, "has " + obj.size() + " settings; at most " + MAX + " are taken", null);
            return null;
        }
        SortedMap<String, String> texts = new TreeMap<>();
        for (int i = 0; i < obj.size(); i++) {
            problems.enter(obj.name(i));
            String text = text(obj.name(i), obj.value(i), problems);
            problems.leave();
            if (text != null) {
                texts.put(obj.name(i), text);
            }
        }
        return texts.size() == obj.size() ? texts : null;
    }

    private static @Nullable String text(String name, Tree tree, Problems problems) {
        if (Redacted.isSecret(name)) {
            problems.badValue(
                    new Tree.Text("", tree.line()), "is a secret and must not stand here", "put it into secretsFile");
            return null;
        }
        return switch (tree) {
            case Tree.Text text -> text.value();
            case Tree.Whole whole -> Long.toString(whole.value());
            case Tree.Inexact inexact -> inexact.written();
            case Tree.Flag flag -> Boolean.toString(flag.value());
            case Tree.Nothing nothing -> "";
            case Tree.Arr arr -> refuse(arr, problems);
            case Obj obj -> refuse(obj, problems);
        };
    }

    private static @Nullable String refuse(Tree tree, Problems problems) {
        problems.wrongType(tree, "a text, a number or a flag");
        return null;
    }

    @Override
    public void write(JsonWriter out, SortedMap<String, String> value) {
        out.beginObject();
        value.forEach((name, text) -> {
            out.name(name);
            out.text(text);
        });
        out.endObject();
    }

    @Override
    public Obj schema() {
        return new Obj.Builder()
                .put("type", "object")
                .put("maxProperties", MAX)
                .put(
                        "additionalProperties",
                        new Obj.Builder().put("type", "string").build())
                .build();
    }
}
