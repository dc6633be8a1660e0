package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** The labels of an object. */
public record Labels(Map<String, String> values) {
    static final Labels NONE = new Labels(Map.of());

    static Labels read(JsonFieldReader labels) {
        if (labels.object().members().isEmpty()) {
            return NONE;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : labels.object().members().keySet()) {
            values.put(name, labels.text(name));
        }
        return new Labels(values);
    }
}
