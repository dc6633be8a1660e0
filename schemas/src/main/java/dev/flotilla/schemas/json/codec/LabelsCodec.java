package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.Labels;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JSON codec for labels: an object of texts, written in the order of its names. */
public record LabelsCodec() implements JsonCodec<Labels> {
    private static final int MAX_LABELS = 512;
    /** The maximum length of a label's name in Kubernetes: a DNS subdomain, a slash and a name. */
    public static final int MAX_KEY = 317;

    public static final int MAX_VALUE = 63;

    @Override
    public @Nullable Labels read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader jsonObjectReader)) {
            problems.addWrongType(jsonValue, "an object whose values are texts");
            return null;
        }
        if (jsonObjectReader.size() > MAX_LABELS) {
            problems.addBadValue(
                    jsonValue,
                    "has " + jsonObjectReader.size() + " labels; at most " + MAX_LABELS + " are allowed",
                    null);
            return null;
        }
        SortedMap<String, String> labels = new TreeMap<>();
        for (int i = 0; i < jsonObjectReader.size(); i++) {
            problems.enter(jsonObjectReader.name(i));
            String value = label(jsonObjectReader.name(i), jsonObjectReader.value(i), problems);
            problems.leave();
            if (value != null) {
                labels.put(jsonObjectReader.name(i), value);
            }
        }
        return labels.size() == jsonObjectReader.size() ? new Labels(labels) : null;
    }

    private static @Nullable String label(String key, JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonValue.JsonString jsonString)) {
            problems.addWrongType(jsonValue, "a text");
            return null;
        }
        String wrongKey = TextValidator.problemOf(key, 1, MAX_KEY);
        String wrong = wrongKey != null ? wrongKey : TextValidator.problemOf(jsonString.value(), 0, MAX_VALUE);
        if (wrong != null) {
            problems.addBadValue(jsonValue, wrongKey != null ? "belongs to a label whose name " + wrong : wrong, null);
            return null;
        }
        return jsonString.value();
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
    public JsonObjectReader schema() {
        return new JsonObjectReader.Builder()
                .put("type", "object")
                .put("maxProperties", MAX_LABELS)
                .put(
                        "additionalProperties",
                        new JsonObjectReader.Builder()
                                .put("type", "string")
                                .put("maxLength", MAX_VALUE)
                                .build())
                .build();
    }
}
