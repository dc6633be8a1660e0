package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.json.MalformedJsonException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A Kubernetes label selector. The order of requirements has no meaning. */
public record LabelSelector(Set<LabelRequirement> requirements) {
    /** The requirement for one label. */
    record LabelRequirement(String key, String operator, List<String> values) {
        boolean holds(Labels labels) {
            String value = labels.values().get(key);
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                default -> throw new MalformedJsonException("has the unknown operator \"" + operator + "\"");
            };
        }
    }

    static LabelSelector read(JsonFieldReader selector) {
        Set<LabelRequirement> requirements = new HashSet<>();
        JsonFieldReader exact = selector.child("matchLabels");
        for (String key : exact.object().members().keySet()) {
            requirements.add(new LabelRequirement(key, "In", List.of(exact.text(key))));
        }
        for (JsonValue item : selector.items("matchExpressions")) {
            JsonFieldReader requirement = JsonFieldReader.of(item);
            requirements.add(new LabelRequirement(
                    requirement.text("key"), requirement.text("operator"), requirement.texts("values")));
        }
        return new LabelSelector(requirements);
    }

    public boolean isEmpty() {
        return requirements.isEmpty();
    }

    public boolean matches(Labels labels) {
        for (LabelRequirement labelRequirement : requirements) {
            if (!labelRequirement.holds(labels)) {
                return false;
            }
        }
        return true;
    }
}
