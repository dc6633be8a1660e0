package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.CampaignCaps;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignTarget;
import dev.flotilla.schemas.row.ClusterApiRule;
import dev.flotilla.schemas.row.ClusterRules;
import dev.flotilla.schemas.row.PreparationRule;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON codec for a campaign's specification. */
final class CampaignSpecCodec {
    private static final Duration MIN_PREPARATION = Duration.ofMinutes(10);
    private static final Duration MAX_PREPARATION = Duration.ofDays(14);

    static final JsonCodec<CampaignSpec> SPEC = spec();

    private static final int MAX_DEPENDENCIES = 16;
    private static final int MAX_WEIGHT = 1_000;
    private static final int ALL = 100;

    private CampaignSpecCodec() {}

    private static JsonCodec<CampaignSpec> spec() {
        var spec =
                JsonObjectCodec.<CampaignSpec>of("campaign-spec", "What a campaign upgrades, to which target and how.");
        var target = spec.required("target", target(), "The target of every selected machine.", CampaignSpec::target);
        var select = spec.required(
                "select",
                MachineSelectionCodec.SELECTION,
                "The machines of the campaign. Every given part must match; {} selects the whole fleet and must be written"
                        + " if that is intended.",
                CampaignSpec::select);
        var waves = spec.defaulted(
                "waves",
                WaveCodec.WAVES,
                CampaignSpec.SINGLE_WAVE,
                "The waves, in order; an empty list is the same as one wave named \"all\".",
                CampaignSpec::waves);
        var caps = spec.optional(
                "caps",
                CampaignCapsCodec.CAPS,
                "How many machines may be in flight at once.",
                s -> s.caps().equals(CampaignCaps.NONE) ? null : s.caps());
        var budget = spec.optional(
                "failureBudget",
                FailureBudgetCodec.BUDGET,
                "How many machines may fail before no more machines start. Default: no limit.",
                CampaignSpec::failureBudget);
        UnsupportedFieldCodecs.declare(spec);
        var weight = spec.omittedIfDefault(
                "weight",
                ScalarCodecs.integer(1, MAX_WEIGHT),
                CampaignSpec.DEFAULT_WEIGHT,
                "The campaign's share of the slots among campaigns of equal priority.",
                CampaignSpec::weight);
        var dependsOn = spec.omittedIfDefault(
                "dependsOn",
                new ListCodec<>(dependency(), MAX_DEPENDENCIES),
                List.of(),
                "Campaigns that must have reached their success percentage before this one starts a machine.",
                CampaignSpec::dependsOn);
        var windows = spec.omittedIfDefault(
                "windows",
                MaintenanceWindowCodec.WINDOWS,
                List.of(),
                "When machines may start. A start must be expected to end before the window closes.",
                CampaignSpec::windows);
        var cohortCircuitBreaker = spec.optional(
                "cohortCircuitBreaker",
                FailureCohortRuleCodec.RULE,
                "Stops starts in a failure cohort when too many of its machines fail; other machines continue.",
                CampaignSpec::cohortCircuitBreaker);
        var expectedContentHash = spec.optional(
                "expectedContentHash",
                ScalarCodecs.text(1, ScalarCodecs.MAX_TOKEN),
                "The content hash of the campaign that this document edits, from `flotilla campaign get`. If the campaign"
                        + " has been edited since, this edit is rejected.",
                CampaignSpec::expectedContentHash);
        var drain = spec.optional(
                "drain",
                SharedValueCodecs.DRAIN,
                "Whether a node is drained before the call: never, auto (if another node can take the pods) or always."
                        + " Default: the setting of each site's worker.",
                CampaignSpec::drain);
        var startAt = spec.optional(
                "startAt", ScalarCodecs.INSTANT, "No machine starts before this instant.", CampaignSpec::startAt);
        var deadline = spec.optional(
                "deadline",
                ScalarCodecs.INSTANT,
                "No machine starts and no call is made after this instant.",
                CampaignSpec::deadline);
        var priority = spec.defaulted(
                "priority",
                ScalarCodecs.integer(0, 100),
                CampaignSpec.DEFAULT_PRIORITY,
                "Of the campaigns that want the same machine or slot, the one with the highest priority comes first.",
                CampaignSpec::priority);
        var cluster = spec.defaulted(
                "cluster",
                ClusterRulesCodec.RULES,
                ClusterRules.DEFAULT,
                "Rules within each cluster.",
                CampaignSpec::cluster);
        var retries = spec.defaulted(
                "retries",
                SharedValueCodecs.RETRIES,
                RetryRule.DEFAULT,
                "How often and when a failed machine is retried.",
                CampaignSpec::retries);
        var checks = spec.omittedIfDefault(
                "checks",
                HealthCheckCodec.CHECKS,
                CampaignChecks.NONE,
                "Checks that must hold before and after each call.",
                CampaignSpec::checks);
        var preparation = spec.optional(
                "prepare",
                preparation(),
                "Has what the upgrades need fetched ahead of them. Default: each upgrade fetches it itself.",
                CampaignSpec::preparation);
        var clusterApi = spec.omittedIfDefault(
                "clusterApi",
                ClusterUpgradeCodecs.RULE,
                ClusterApiRule.DEFAULT,
                "Clusters whose machines Cluster API updates in place.",
                CampaignSpec::clusterApi);
        return spec.build((v, at, problems) -> checked(
                new CampaignSpec(
                        v.get(target),
                        v.get(select),
                        v.get(waves).isEmpty() ? CampaignSpec.SINGLE_WAVE : v.get(waves),
                        Objects.requireNonNullElse(v.get(caps), CampaignCaps.NONE),
                        v.get(budget),
                        v.get(weight),
                        v.get(dependsOn),
                        v.get(windows),
                        v.get(cohortCircuitBreaker),
                        v.get(expectedContentHash),
                        v.get(drain),
                        v.get(startAt),
                        v.get(deadline),
                        v.get(priority),
                        v.get(cluster),
                        v.get(retries),
                        v.get(checks),
                        v.get(preparation),
                        v.get(clusterApi)),
                at,
                problems));
    }

    private static JsonCodec<CampaignTarget> target() {
        var target = JsonObjectCodec.<CampaignTarget>of("target", "The target of every selected machine.");
        var option = target.required(
                "option",
                SharedValueCodecs.OPTION,
                "What the machines are upgraded to: channel=<channel> or revision=<revision> of a snap, by k8sd; or"
                        + " version=v<major>.<minor>.<patch> of Kubernetes, by a node-upgrade.",
                CampaignTarget::option);
        var version = target.optional(
                "expectedVersion",
                KubernetesVersionCodec.VERSION,
                "The Kubernetes version, such as 1.33.2, that the node must show after the upgrade. A target of"
                        + " version= states it already.",
                CampaignTarget::expectedVersion);
        var downgrade = target.omittedIfDefault(
                "allowDowngrade",
                ScalarCodecs.FLAG,
                false,
                "Whether a node that shows a higher version may be downgraded to this target.",
                CampaignTarget::allowDowngrade);
        return target.build(v -> new CampaignTarget(v.get(option), v.get(version), v.get(downgrade)));
    }

    private static JsonCodec<PreparationRule> preparation() {
        var rule = JsonObjectCodec.<PreparationRule>of(
                "prepare", "Has what the upgrades need fetched ahead of them, on nodes that a node-upgrade upgrades.");
        var before = rule.required(
                "before",
                ScalarCodecs.duration(MIN_PREPARATION, MAX_PREPARATION),
                "How long before a machine may start: before startAt, and before each maintenance window.",
                PreparationRule::before);
        return rule.build(v -> new PreparationRule(v.get(before)));
    }

    private static JsonCodec<CampaignDependency> dependency() {
        var dependency = JsonObjectCodec.<CampaignDependency>of("dependency", "A campaign that must succeed first.");
        var campaign = dependency.required(
                "campaign", IdCodecs.CAMPAIGN, "The other campaign's name.", CampaignDependency::campaign);
        var percent = dependency.defaulted(
                "successPercent",
                ScalarCodecs.integer(1, ALL),
                ALL,
                "The percentage of its machines that must have succeeded.",
                CampaignDependency::successPercent);
        return dependency.build(v -> new CampaignDependency(v.get(campaign), v.get(percent)));
    }

    private static @Nullable CampaignSpec checked(CampaignSpec spec, JsonValue at, ProblemCollector problems) {
        boolean good = true;
        if (at instanceof JsonObjectReader jsonObjectReader
                && jsonObjectReader.get("waves") instanceof JsonValue.JsonArray waves
                && !waves.items().isEmpty()) {
            problems.enter("waves");
            good = WaveCodec.checkWaves(spec.waves(), waves, problems);
            problems.leave();
        }
        if (spec.startAt() != null
                && spec.deadline() != null
                && !spec.deadline().isAfter(spec.startAt())) {
            JsonValue deadline =
                    at instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader.get("deadline") : null;
            problems.enter("deadline");
            problems.add(
                    RejectionReason.CONTRADICTION, deadline == null ? at : deadline, "must be after startAt", null);
            problems.leave();
            good = false;
        }
        String unprepared = spec.preparation() == null
                ? null
                : UpgradeProvider.preparationProblem(spec.target().option());
        if (unprepared != null) {
            JsonValue prepare =
                    at instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader.get("prepare") : null;
            problems.enter("prepare");
            problems.add(
                    RejectionReason.NOT_SUPPORTED, prepare == null ? at : prepare, unprepared, "leave prepare out");
            problems.leave();
            good = false;
        }
        return good ? spec : null;
    }
}
