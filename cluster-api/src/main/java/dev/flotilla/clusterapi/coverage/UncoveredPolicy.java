package dev.flotilla.clusterapi.coverage;

import org.jspecify.annotations.Nullable;

/** What the hook answers where a change is not covered. */
public enum UncoveredPolicy {
    /** Cluster API replaces the machine. */
    REPLACE("replace"),
    /** Nothing is replaced: Cluster API asks again until the change is taken back or covered. */
    STOP("stop");

    private final String label;

    UncoveredPolicy(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    static @Nullable UncoveredPolicy parse(String label) {
        for (UncoveredPolicy policy : values()) {
            if (policy.label.equals(label)) {
                return policy;
            }
        }
        return null;
    }
}
