package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.DecodedFields;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.JsonObjectField;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.MaintenanceWindow;
import java.time.Duration;
import java.util.List;

/** JSON fields of a campaign's constraints besides its waves, caps and failure budget. */
final class CampaignConstraintsCodec {
    private static final int MAX_DEPENDENCIES = 16;
    private static final int MAX_WEIGHT = 1_000;
    private static final int ALL = 100;
    private static final int MAX_COHORT_LABELS = 8;
    private static final int MAX_COHORT_FAILURES = 1_000;

    private final JsonObjectField.NonNullField<CampaignSpec, Integer> weight;
    private final JsonObjectField.NonNullField<CampaignSpec, List<CampaignConstraints.CampaignDependency>> dependsOn;
    private final JsonObjectField.NonNullField<CampaignSpec, List<MaintenanceWindow>> windows;
    private final JsonObjectField.NullableField<CampaignSpec, FailureCohortRule> cohortCircuitBreaker;
    private final JsonObjectField.NullableField<CampaignSpec, String> expectedContentHash;
    private final JsonObjectField.NullableField<CampaignSpec, DrainMode> drain;

    CampaignConstraintsCodec(JsonObjectCodec.CodecBuilder<CampaignSpec> spec) {
        weight = spec.omittedIfDefault(
                "weight",
                ScalarCodecs.integer(1, MAX_WEIGHT),
                CampaignConstraints.DEFAULT_WEIGHT,
                "The campaign's share of the slots among campaigns of equal priority.",
                s -> s.constraints().weight());
        dependsOn = spec.omittedIfDefault(
                "dependsOn",
                new ListCodec<>(dependency(), MAX_DEPENDENCIES),
                List.of(),
                "Campaigns that must have reached their success percentage before this one starts a machine.",
                s -> s.constraints().dependsOn());
        windows = spec.omittedIfDefault(
                "windows",
                MaintenanceWindowCodec.WINDOWS,
                List.of(),
                "When machines may start. A start must be expected to end before the window closes.",
                s -> s.constraints().windows());
        cohortCircuitBreaker = spec.optional(
                "cohortCircuitBreaker",
                cohortRule(),
                "Stops starts in a failure cohort when too many of its machines fail; other machines continue.",
                s -> s.constraints().cohortRule());
        expectedContentHash = spec.optional(
                "expectedContentHash",
                ScalarCodecs.text(1, ScalarCodecs.MAX_TOKEN),
                "The content hash of the campaign that this document edits, from `flotilla campaign get`. If the campaign"
                        + " has been edited since, this edit is rejected.",
                s -> s.constraints().expectedContentHash());
        drain = spec.optional(
                "drain",
                SharedValueCodecs.DRAIN,
                "Whether a node is drained before the call: never, auto (if another node can take the pods) or always."
                        + " Default: the setting of each site's worker.",
                s -> s.constraints().drainMode());
    }

    CampaignConstraints read(DecodedFields values, Duration soak) {
        return new CampaignConstraints(
                        soak,
                        values.get(weight),
                        values.get(dependsOn),
                        values.get(windows),
                        values.get(cohortCircuitBreaker))
                .expectedContentHash(values.get(expectedContentHash))
                .withDrainMode(values.get(drain));
    }

    private static JsonCodec<FailureCohortRule> cohortRule() {
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

    private static JsonCodec<CampaignConstraints.CampaignDependency> dependency() {
        var dependency = JsonObjectCodec.<CampaignConstraints.CampaignDependency>of(
                "dependency", "A campaign that must succeed first.");
        var campaign = dependency.required(
                "campaign",
                IdCodecs.CAMPAIGN,
                "The other campaign's name.",
                CampaignConstraints.CampaignDependency::campaign);
        var percent = dependency.defaulted(
                "successPercent",
                ScalarCodecs.integer(1, ALL),
                ALL,
                "The percentage of its machines that must have succeeded.",
                CampaignConstraints.CampaignDependency::successPercent);
        return dependency.build(v -> new CampaignConstraints.CampaignDependency(v.get(campaign), v.get(percent)));
    }
}
