package dev.flotilla.schemas.row;

import java.util.List;

/**
 * When one kind of machine is closed: so many have failed of it, and such a share of those that have ended.
 *
 * @param labels of machines by whose values kinds are told apart, besides by site, architecture and revision
 */
public record FailureCohortRule(List<String> labels, int failures, int percent) {
    public static final int USUAL_FAILURES = 3;
    public static final int USUAL_PERCENT = 50;

    public FailureCohortRule {
        labels = List.copyOf(labels);
    }
}
