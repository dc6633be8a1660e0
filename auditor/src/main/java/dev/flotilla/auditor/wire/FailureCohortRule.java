package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a campaign closes a failure cohort. */
public record FailureCohortRule(List<String> labels, long failures, long percent) {
    private static final long USUAL_FAILURES = 3;
    private static final long USUAL_PERCENT = 50;

    static @Nullable FailureCohortRule read(JsonFieldReader spec) {
        if (!spec.has("cohortCircuitBreaker")) {
            return null;
        }
        JsonFieldReader rule = spec.child("cohortCircuitBreaker");
        return new FailureCohortRule(
                rule.texts("labels"),
                rule.numberOr("failures", USUAL_FAILURES),
                rule.numberOr("percent", USUAL_PERCENT));
    }
}
