package dev.flotilla.schemas.row;

import java.util.List;

/**
 * When a failure cohort is closed: a number of its machines have failed, and a percentage of those that have ended.
 *
 * @param labels machine labels whose values form cohorts, besides site, architecture and revision
 */
public record FailureCohortRule(List<String> labels, int failures, int percent) {
    public static final int DEFAULT_FAILURES = 3;
    public static final int DEFAULT_PERCENT = 50;

    public FailureCohortRule {
        labels = List.copyOf(labels);
    }
}
