package dev.flotilla.schemas.row;

import java.util.List;

/** A Kubernetes label selector: every requirement must hold. */
public record Selector(List<Requirement> requirements) {
    public static final Selector ALL = new Selector(List.of());

    public Selector {
        requirements = List.copyOf(requirements);
    }

    /** What is asked of one label. {@code matchLabels} is {@link Operator#IN} with one value. */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
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
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist");

        private final String label;

        Operator(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public boolean matches(Labels labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }
}
