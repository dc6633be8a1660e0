package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.FailureCohortRule;
import java.util.List;

/** JSON codec for a campaign's failure cohort rule. */
final class FailureCohortRuleCodec {
    static final JsonCodec<FailureCohortRule> RULE = rule();

    private static final int ALL = 100;
    private static final int MAX_COHORT_LABELS = 8;
    private static final int MAX_COHORT_FAILURES = 1_000;

    private FailureCohortRuleCodec() {}

    private static JsonCodec<FailureCohortRule> rule() {
        var rule = JsonObjectCodec.<FailureCohortRule>of(
                "cohort-circuit-breaker", "When a failure cohort is closed: no machine of it starts.");
        var labels = rule.omittedIfDefault(
                "labels",
                new ListCodec<>(ScalarCodecs.text(1, LabelsCodec.MAX_KEY), MAX_COHORT_LABELS),
                List.of(),
                "Machine labels whose values form cohorts, besides site, architecture and revision.",
                FailureCohortRule::labels);
        var failures = rule.defaulted(
                "failures",
                ScalarCodecs.integer(1, MAX_COHORT_FAILURES),
                FailureCohortRule.DEFAULT_FAILURES,
                "The number of failed machines from which a cohort is closed.",
                FailureCohortRule::failures);
        var percent = rule.defaulted(
                "percent",
                ScalarCodecs.integer(1, ALL),
                FailureCohortRule.DEFAULT_PERCENT,
                "The failed machines in percent of those that ended by a call, from which a cohort is closed; both must hold.",
                FailureCohortRule::percent);
        return rule.build(v -> new FailureCohortRule(v.get(labels), v.get(failures), v.get(percent)));
    }
}
