package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Field;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.codec.Values;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CohortRule;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.Window;
import java.time.Duration;
import java.util.List;

/** What a campaign is bound by besides its own waves, caps and budget: members of its specification. */
final class TermsCodec {
    private static final int MAX_DEPENDENCIES = 16;
    private static final int MAX_WEIGHT = 1_000;
    private static final int ALL = 100;
    private static final int MAX_COHORT_LABELS = 8;
    private static final int MAX_COHORT_FAILURES = 1_000;

    private final Field.Given<CampaignSpec, Integer> weight;
    private final Field.Given<CampaignSpec, List<Terms.Dependency>> dependsOn;
    private final Field.Given<CampaignSpec, List<Window>> windows;
    private final Field.Maybe<CampaignSpec, CohortRule> cohorts;
    private final Field.Maybe<CampaignSpec, String> basedOn;
    private final Field.Maybe<CampaignSpec, DrainMode> drain;

    TermsCodec(RecordCodec.Declaration<CampaignSpec> spec) {
        weight = spec.usual(
                "weight",
                Scalars.integer(1, MAX_WEIGHT),
                Terms.USUAL_WEIGHT,
                "The campaign's share of the slots among campaigns of equal priority.",
                s -> s.terms().weight());
        dependsOn = spec.usual(
                "dependsOn",
                new Lists<>(dependency(), MAX_DEPENDENCIES),
                List.of(),
                "Campaigns that must have succeeded so far before this one starts anything.",
                s -> s.terms().dependsOn());
        windows = spec.usual(
                "windows",
                WindowCodec.WINDOWS,
                List.of(),
                "When machines may be started: a start must fit before the window closes.",
                s -> s.terms().windows());
        cohorts = spec.optional(
                "cohortBreaker",
                cohortRule(),
                "Closes one kind of machine when its failures go together, and lets the rest go on.",
                s -> s.terms().cohorts());
        basedOn = spec.optional(
                "basedOn",
                Scalars.text(1, Scalars.MAX_TOKEN),
                "The edition of the campaign that this one edits, as `flotilla campaign get` says it. Where the campaign"
                        + " has been edited since, this edit is refused.",
                s -> s.terms().basedOn());
        drain = spec.optional(
                "drain",
                Parts.DRAIN,
                "Whether a node is emptied before its call: never, auto (where another node can take the pods) or always."
                        + " Without it as each site's worker is set.",
                s -> s.terms().drain());
    }

    Terms read(Values values, Duration settle) {
        return new Terms(settle, values.get(weight), values.get(dependsOn), values.get(windows), values.get(cohorts))
                .basedOn(values.get(basedOn))
                .draining(values.get(drain));
    }

    private static Codec<CohortRule> cohortRule() {
        var rule = RecordCodec.<CohortRule>of("cohort-breaker", "When one kind of machine is closed.");
        var labels = rule.usual(
                "labels",
                new Lists<>(Scalars.text(1, LabelsCodec.MAX_KEY), MAX_COHORT_LABELS),
                List.of(),
                "Labels of machines that tell kinds apart, besides site, architecture and revision.",
                CohortRule::labels);
        var failures = rule.defaulted(
                "failures",
                Scalars.integer(1, MAX_COHORT_FAILURES),
                CohortRule.USUAL_FAILURES,
                "So many machines of a kind have failed before it is closed.",
                CohortRule::failures);
        var percent = rule.defaulted(
                "percent",
                Scalars.integer(1, ALL),
                CohortRule.USUAL_PERCENT,
                "And so many of a hundred that have ended by a call.",
                CohortRule::percent);
        return rule.build(v -> new CohortRule(v.get(labels), v.get(failures), v.get(percent)));
    }

    private static Codec<Terms.Dependency> dependency() {
        var dependency = RecordCodec.<Terms.Dependency>of("dependency", "A campaign that must go before.");
        var campaign =
                dependency.required("campaign", Ids.CAMPAIGN, "The other campaign's name.", Terms.Dependency::campaign);
        var percent = dependency.defaulted(
                "successPercent",
                Scalars.integer(1, ALL),
                ALL,
                "How many of a hundred of its machines must have succeeded.",
                Terms.Dependency::successPercent);
        return dependency.build(v -> new Terms.Dependency(v.get(campaign), v.get(percent)));
    }
}
