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

/** What a campaign is to do. */
final class CampaignSpecCodec {
    static final JsonCodec<CampaignSpec> SPEC = spec();

    private CampaignSpecCodec() {}

    private static JsonCodec<CampaignSpec> spec() {
        var spec = JsonObjectCodec.<CampaignSpec>of("campaign-spec", "What a campaign is to do.");
        var target = spec.required(
                "target",
                CampaignSpecPartCodecs.TARGET,
                "Where every selected machine is to go.",
                CampaignSpecPartCodecs.TargetPart::of);
        var select = spec.required(
                "select",
                MachineSelectionCodec.SELECTION,
                "Which machines the campaign is about. Every part that is given must hold; {} is the whole fleet, and"
                        + " must be written if it is meant.",
                CampaignSpec::selection);
        var waves = spec.defaulted(
                "waves",
                WaveCodec.WAVES,
                WaveCodec.ONE,
                "The campaign's parts, in their order; none is the same as one wave named \"all\".",
                CampaignSpec::waves);
        var caps = spec.optional(
                "caps",
                CampaignSpecPartCodecs.CAPS,
                "How many machines may be in flight at once.",
                CampaignSpecPartCodecs.CapsPart::of);
        var budget = spec.optional(
                "failureBudget",
                FailureBudgetCodec.BUDGET,
                "How many machines may fail before nothing more is started; without it there is no budget.",
                CampaignSpec::failureBudget);
        UnsupportedFieldCodecs.declare(spec);
        var terms = new CampaignConstraintsCodec(spec);
        var startAt =
                spec.optional("startAt", ScalarCodecs.INSTANT, "Nothing is started before it.", CampaignSpec::startAt);
        var deadline = spec.optional(
                "deadline", ScalarCodecs.INSTANT, "Nothing is started or called after it.", CampaignSpec::deadline);
        var priority = spec.defaulted(
                "priority",
                ScalarCodecs.integer(0, 100),
                50,
                "Among campaigns that want the same machine or slot, the highest goes first.",
                CampaignSpec::priority);
        var cluster = spec.defaulted(
                "cluster",
                CampaignSpecPartCodecs.CLUSTER,
                CampaignSpecPartCodecs.ClusterRulesPart.DEFAULT,
                "What holds within each cluster.",
                CampaignSpecPartCodecs.ClusterRulesPart::of);
        var retries = spec.defaulted(
                "retries",
                SharedValueCodecs.RETRIES,
                RetryRule.DEFAULT,
                "How often and when a failed machine is tried again.",
                CampaignSpec::retryRule);
        var checks = spec.omittedIfDefault(
                "checks",
                HealthCheckCodec.CHECKS,
                CampaignChecks.NONE,
                "What must hold before each call and after it.",
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
                            v.get(waves).isEmpty() ? WaveCodec.ONE : v.get(waves),
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
                            terms.read(v, within.settle())
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
            good = WaveCodec.check(spec.waves(), waves, problems);
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
