package dev.flotilla.kube;

import org.jspecify.annotations.Nullable;

/** Matches labels against the label selector of a Kubernetes object. A selector that cannot be read matches nothing. */
public record KubeLabelMatcher(KubeObject json) {

    /** Whether a selector matches labels; an empty selector matches everything. */
    public boolean matches(KubeObject labels) {
        KubeObject equal = json.object("matchLabels");
        for (int i = 0; i < equal.json().size(); i++) {
            String name = equal.json().name(i);
            String wanted = equal.text(name);
            if (wanted == null || !wanted.equals(labels.text(name))) {
                return false;
            }
        }
        return json.list("matchExpressions").stream().allMatch(expression -> holdsRequirement(expression, labels));
    }

    private static boolean holdsRequirement(KubeObject expression, KubeObject labels) {
        String key = expression.text("key");
        String operator = expression.text("operator");
        if (key == null || operator == null) {
            return false;
        }
        @Nullable String value = labels.text(key);
        return switch (operator) {
            case "In" -> value != null && expression.texts("values").contains(value);
            case "NotIn" -> value == null || !expression.texts("values").contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
