package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a campaign closes one kind of machine. */
public record CohortRule(List<String> labels, long failures, long percent) {
    private static final long USUAL_FAILURES = 3;
    private static final long USUAL_PERCENT = 50;

    static @Nullable CohortRule read(Fields spec) {
        if (!spec.has("cohortBreaker")) {
            return null;
        }
        Fields rule = spec.in("cohortBreaker");
        return new CohortRule(
                rule.texts("labels"),
                rule.numberOr("failures", USUAL_FAILURES),
                rule.numberOr("percent", USUAL_PERCENT));
    }
}
