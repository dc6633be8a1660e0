package dev.flotilla.schemas.row;

import java.util.List;

/** A Kubernetes label selector: every requirement must hold. */
public record LabelSelector(List<LabelRequirement> requirements) {
    public static final LabelSelector ALL = new LabelSelector(List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** A requirement on one label. An entry of {@code matchLabels} is {@link LabelOperator#IN} with one value. */
    public record LabelRequirement(String key, LabelOperator operator, List<String> values) {
        public LabelRequirement {
            values = List.copyOf(values);
        }

        boolean matches(Labels labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
            };
        }
    }

    /** The operators of {@code matchExpressions}. */
    public enum LabelOperator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist");

        private final String label;

        LabelOperator(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public boolean matches(Labels labels) {
        for (LabelRequirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }
}
