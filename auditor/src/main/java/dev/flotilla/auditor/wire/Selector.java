package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.json.MalformedJson;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A label selector of Kubernetes. The order of requirements tells nothing. */
public record Selector(Set<Requirement> requirements) {
    /** One label's requirement. */
    record Requirement(String key, String operator, List<String> values) {
        boolean holds(Labels labels) {
            String value = labels.values().get(key);
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                default -> throw new MalformedJson("has the unknown operator \"" + operator + "\"");
            };
        }
    }

    static Selector read(Fields selector) {
        Set<Requirement> requirements = new HashSet<>();
        Fields exact = selector.in("matchLabels");
        for (String key : exact.object().members().keySet()) {
            requirements.add(new Requirement(key, "In", List.of(exact.text(key))));
        }
        for (Json item : selector.items("matchExpressions")) {
            Fields requirement = Fields.of(item);
            requirements.add(new Requirement(
                    requirement.text("key"), requirement.text("operator"), requirement.texts("values")));
        }
        return new Selector(requirements);
    }

    public boolean isEmpty() {
        return requirements.isEmpty();
    }

    public boolean matches(Labels labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.holds(labels)) {
                return false;
            }
        }
        return true;
    }
}
