package dev.flotilla.kube;

import org.jspecify.annotations.Nullable;

/** A selector of labels, as objects hold it. One that cannot be read selects nothing. */
public record KubeLabelMatcher(KubeObject json) {

    /** Whether it selects what bears these labels; an empty one selects everything. */
    public boolean selects(KubeObject labels) {
        KubeObject equal = json.object("matchLabels");
        for (int i = 0; i < equal.json().size(); i++) {
            String name = equal.json().name(i);
            String wanted = equal.text(name);
            if (wanted == null || !wanted.equals(labels.text(name))) {
                return false;
            }
        }
        return json.list("matchExpressions").stream().allMatch(expression -> holds(expression, labels));
    }

    private static boolean holds(KubeObject expression, KubeObject labels) {
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
