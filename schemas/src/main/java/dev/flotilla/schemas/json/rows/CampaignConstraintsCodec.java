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

/** What a campaign is bound by besides its own waves, caps and budget: members of its specification. */
final class CampaignConstraintsCodec {
    private static final int MAX_DEPENDENCIES = 16;
    private static final int MAX_WEIGHT = 1_000;
    private static final int ALL = 100;
    private static final int MAX_COHORT_LABELS = 8;
    private static final int MAX_COHORT_FAILURES = 1_000;

    private final JsonObjectField.NonNullField<CampaignSpec, Integer> weight;
    private final JsonObjectField.NonNullField<CampaignSpec, List<CampaignConstraints.CampaignDependency>> dependsOn;
    private final JsonObjectField.NonNullField<CampaignSpec, List<MaintenanceWindow>> windows;
    private final JsonObjectField.NullableField<CampaignSpec, FailureCohortRule> cohorts;
    private final JsonObjectField.NullableField<CampaignSpec, String> basedOn;
    private final JsonObjectField.NullableField<CampaignSpec, DrainMode> drain;

    CampaignConstraintsCodec(JsonObjectCodec.CodecBuilder<CampaignSpec> spec) {
        weight = spec.omittedIfDefault(
                "weight",
                ScalarCodecs.integer(1, MAX_WEIGHT),
                CampaignConstraints.USUAL_WEIGHT,
                "The campaign's share of the slots among campaigns of equal priority.",
                s -> s.constraints().weight());
        dependsOn = spec.omittedIfDefault(
                "dependsOn",
                new ListCodec<>(dependency(), MAX_DEPENDENCIES),
                List.of(),
                "Campaigns that must have succeeded so far before this one starts anything.",
                s -> s.constraints().dependsOn());
        windows = spec.omittedIfDefault(
                "windows",
                MaintenanceWindowCodec.WINDOWS,
                List.of(),
                "When machines may be started: a start must fit before the window closes.",
                s -> s.constraints().windows());
        cohorts = spec.optional(
                "cohortBreaker",
                cohortRule(),
                "Closes one kind of machine when its failures go together, and lets the rest go on.",
                s -> s.constraints().cohortRule());
        basedOn = spec.optional(
                "basedOn",
                ScalarCodecs.text(1, ScalarCodecs.MAX_TOKEN),
                "The edition of the campaign that this one edits, as `flotilla campaign get` says it. Where the campaign"
                        + " has been edited since, this edit is refused.",
                s -> s.constraints().expectedContentHash());
        drain = spec.optional(
                "drain",
                SharedValueCodecs.DRAIN,
                "Whether a node is emptied before its call: never, auto (where another node can take the pods) or always."
                        + " Without it as each site's worker is set.",
                s -> s.constraints().drainMode());
    }

    CampaignConstraints read(DecodedFields values, Duration settle) {
        return new CampaignConstraints(
                        settle, values.get(weight), values.get(dependsOn), values.get(windows), values.get(cohorts))
                .expectedContentHash(values.get(basedOn))
                .withDrainMode(values.get(drain));
    }

    private static JsonCodec<FailureCohortRule> cohortRule() {
        var rule = JsonObjectCodec.<FailureCohortRule>of("cohort-breaker", "When one kind of machine is closed.");
        var labels = rule.omittedIfDefault(
                "labels",
                new ListCodec<>(ScalarCodecs.text(1, LabelsCodec.MAX_KEY), MAX_COHORT_LABELS),
                List.of(),
                "Labels of machines that tell kinds apart, besides site, architecture and revision.",
                FailureCohortRule::labels);
        var failures = rule.defaulted(
                "failures",
                ScalarCodecs.integer(1, MAX_COHORT_FAILURES),
                FailureCohortRule.USUAL_FAILURES,
                "So many machines of a kind have failed before it is closed.",
                FailureCohortRule::failures);
        var percent = rule.defaulted(
                "percent",
                ScalarCodecs.integer(1, ALL),
                FailureCohortRule.USUAL_PERCENT,
                "And so many of a hundred that have ended by a call.",
                FailureCohortRule::percent);
        return rule.build(v -> new FailureCohortRule(v.get(labels), v.get(failures), v.get(percent)));
    }

    private static JsonCodec<CampaignConstraints.CampaignDependency> dependency() {
        var dependency = JsonObjectCodec.<CampaignConstraints.CampaignDependency>of(
                "dependency", "A campaign that must go before.");
        var campaign = dependency.required(
                "campaign",
                IdCodecs.CAMPAIGN,
                "The other campaign's name.",
                CampaignConstraints.CampaignDependency::campaign);
        var percent = dependency.defaulted(
                "successPercent",
                ScalarCodecs.integer(1, ALL),
                ALL,
                "How many of a hundred of its machines must have succeeded.",
                CampaignConstraints.CampaignDependency::successPercent);
        return dependency.build(v -> new CampaignConstraints.CampaignDependency(v.get(campaign), v.get(percent)));
    }
}
