package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RetryRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codec for a campaign's specification. */
final class CampaignSpecCodec {
    static final JsonCodec<CampaignSpec> SPEC = spec();

    private CampaignSpecCodec() {}

    private static JsonCodec<CampaignSpec> spec() {
        var spec =
                JsonObjectCodec.<CampaignSpec>of("campaign-spec", "What a campaign upgrades, to which target and how.");
        var target = spec.required(
                "target",
                CampaignSpecPartCodecs.TARGET,
                "The target of every selected machine.",
                CampaignSpecPartCodecs.TargetPart::of);
        var select = spec.required(
                "select",
                MachineSelectionCodec.SELECTION,
                "The machines of the campaign. Every given part must match; {} selects the whole fleet and must be written"
                        + " if that is intended.",
                CampaignSpec::selection);
        var waves = spec.defaulted(
                "waves",
                WaveCodec.WAVES,
                CampaignSpec.SINGLE_WAVE,
                "The waves, in order; an empty list is the same as one wave named \"all\".",
                CampaignSpec::waves);
        var caps = spec.optional(
                "caps",
                CampaignSpecPartCodecs.CAPS,
                "How many machines may be in flight at once.",
                CampaignSpecPartCodecs.CapsPart::of);
        var budget = spec.optional(
                "failureBudget",
                FailureBudgetCodec.BUDGET,
                "How many machines may fail before no more machines start. Default: no limit.",
                CampaignSpec::failureBudget);
        UnsupportedFieldCodecs.declare(spec);
        var terms = new CampaignConstraintsCodec(spec);
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
                CampaignSpecPartCodecs.CLUSTER,
                CampaignSpecPartCodecs.ClusterRulesPart.DEFAULT,
                "Rules within each cluster.",
                CampaignSpecPartCodecs.ClusterRulesPart::of);
        var retries = spec.defaulted(
                "retries",
                SharedValueCodecs.RETRIES,
                RetryRule.DEFAULT,
                "How often and when a failed machine is retried.",
                CampaignSpec::retryRule);
        var checks = spec.omittedIfDefault(
                "checks",
                HealthCheckCodec.CHECKS,
                CampaignChecks.NONE,
                "Checks that must hold before and after each call.",
                CampaignSpec::checks);
        return spec.build((v, at, problems) -> {
            CampaignSpecPartCodecs.TargetPart where = v.get(target);
            CampaignSpecPartCodecs.ClusterRulesPart within = v.get(cluster);
            CampaignSpecPartCodecs.CapsPart cap = v.get(caps);
            return checked(
                    new CampaignSpec(
                            where.option(),
                            where.expectedVersion(),
                            v.get(select),
                            v.get(waves).isEmpty() ? CampaignSpec.SINGLE_WAVE : v.get(waves),
                            cap == null ? null : cap.inFlight(),
                            within.inFlight(),
                            v.get(budget),
                            v.get(startAt),
                            v.get(deadline),
                            v.get(priority),
                            within.maxUnavailable(),
                            within.controlPlaneFirst(),
                            v.get(retries),
                            v.get(checks),
                            terms.read(v, within.soak())
                                    .withDomainCaps(cap == null ? List.of() : cap.domains())
                                    .withDowngrade(where.allowDowngrade())
                                    .strict(within.strict())),
                    at,
                    problems);
        });
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
        return good ? spec : null;
    }
}
