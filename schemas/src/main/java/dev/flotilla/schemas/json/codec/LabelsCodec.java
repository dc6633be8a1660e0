package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Labels;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Labels: an object of texts, written in the order of its names. */
public record LabelsCodec() implements Codec<Labels> {
    private static final int MAX_LABELS = 512;
    /** A DNS subdomain, a slash and a name: what Kubernetes takes. */
    public static final int MAX_KEY = 317;

    public static final int MAX_VALUE = 63;

    @Override
    public @Nullable Labels read(Tree tree, Problems problems) {
        if (!(tree instanceof Obj obj)) {
            problems.wrongType(tree, "an object of texts");
            return null;
        }
        if (obj.size() > MAX_LABELS) {
            problems.badValue(tree, "has " + obj.size() + " labels; at most " + MAX_LABELS + " are taken", null);
            return null;
        }
        SortedMap<String, String> labels = new TreeMap<>();
        for (int i = 0; i < obj.size(); i++) {
            problems.enter(obj.name(i));
            String value = label(obj.name(i), obj.value(i), problems);
            problems.leave();
            if (value != null) {
                labels.put(obj.name(i), value);
            }
        }
        return labels.size() == obj.size() ? new Labels(labels) : null;
    }

    private static @Nullable String label(String key, Tree tree, Problems problems) {
        if (!(tree instanceof Tree.Text text)) {
            problems.wrongType(tree, "a text");
            return null;
        }
        String wrongKey = Texts.problemOf(key, 1, MAX_KEY);
        String wrong = wrongKey != null ? wrongKey : Texts.problemOf(text.value(), 0, MAX_VALUE);
        if (wrong != null) {
            problems.badValue(tree, wrongKey != null ? "stands under a label whose name " + wrong : wrong, null);
            return null;
        }
        return text.value();
    }

    @Override
    public void write(JsonWriter out, Labels value) {
        out.beginObject();
        for (Map.Entry<String, String> label : value.values().entrySet()) {
            out.name(label.getKey());
            out.text(label.getValue());
        }
        out.endObject();
    }

    @Override
    public Obj schema() {
        return new Obj.Builder()
                .put("type", "object")
                .put("maxProperties", MAX_LABELS)
                .put(
                        "additionalProperties",
                        new Obj.Builder()
                                .put("type", "string")
                                .put("maxLength", MAX_VALUE)
                                .build())
                .build();
    }
}
