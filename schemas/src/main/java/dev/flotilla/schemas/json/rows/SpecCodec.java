package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Checks;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RetryRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a campaign is to do. */
final class SpecCodec {
    static final Codec<CampaignSpec> SPEC = spec();

    private SpecCodec() {}

    private static Codec<CampaignSpec> spec() {
        var spec = RecordCodec.<CampaignSpec>of("campaign-spec", "What a campaign is to do.");
        var target = spec.required(
                "target", SpecParts.TARGET, "Where every selected machine is to go.", SpecParts.Target::of);
        var select = spec.required(
                "select",
                SelectionCodec.SELECTION,
                "Which machines the campaign is about. Every part that is given must hold; {} is the whole fleet, and"
                        + " must be written if it is meant.",
                CampaignSpec::select);
        var waves = spec.defaulted(
                "waves",
                WaveCodec.WAVES,
                WaveCodec.ONE,
                "The campaign's parts, in their order; none is the same as one wave named \"all\".",
                CampaignSpec::waves);
        var caps = spec.optional(
                "caps", SpecParts.CAPS, "How many machines may be in flight at once.", SpecParts.Caps::of);
        var budget = spec.optional(
                "failureBudget",
                BudgetCodec.BUDGET,
                "How many machines may fail before nothing more is started; without it there is no budget.",
                CampaignSpec::failureBudget);
        LaterParts.declare(spec);
        var terms = new TermsCodec(spec);
        var startAt = spec.optional("startAt", Scalars.INSTANT, "Nothing is started before it.", CampaignSpec::startAt);
        var deadline = spec.optional(
                "deadline", Scalars.INSTANT, "Nothing is started or called after it.", CampaignSpec::deadline);
        var priority = spec.defaulted(
                "priority",
                Scalars.integer(0, 100),
                50,
                "Among campaigns that want the same machine or slot, the highest goes first.",
                CampaignSpec::priority);
        var cluster = spec.defaulted(
                "cluster",
                SpecParts.CLUSTER,
                SpecParts.ClusterRules.DEFAULT,
                "What holds within each cluster.",
                SpecParts.ClusterRules::of);
        var retries = spec.defaulted(
                "retries",
                Parts.RETRIES,
                RetryRule.DEFAULT,
                "How often and when a failed machine is tried again.",
                CampaignSpec::retries);
        var checks = spec.usual(
                "checks",
                CheckCodec.CHECKS,
                Checks.NONE,
                "What must hold before each call and after it.",
                CampaignSpec::checks);
        return spec.build((v, at, problems) -> {
            SpecParts.Target where = v.get(target);
            SpecParts.ClusterRules within = v.get(cluster);
            SpecParts.Caps cap = v.get(caps);
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
                                    .capping(cap == null ? List.of() : cap.domains())
                                    .allowingDowngrade(where.allowDowngrade())
                                    .strict(within.strict())),
                    at,
                    problems);
        });
    }

    private static @Nullable CampaignSpec checked(CampaignSpec spec, Tree at, Problems problems) {
        boolean good = true;
        if (at instanceof Obj obj
                && obj.get("waves") instanceof Tree.Arr waves
                && !waves.items().isEmpty()) {
            problems.enter("waves");
            good = WaveCodec.check(spec.waves(), waves, problems);
            problems.leave();
        }
        if (spec.startAt() != null
                && spec.deadline() != null
                && !spec.deadline().isAfter(spec.startAt())) {
            Tree deadline = at instanceof Obj obj ? obj.get("deadline") : null;
            problems.enter("deadline");
            problems.add(
                    RejectionReason.CONTRADICTION, deadline == null ? at : deadline, "must be after startAt", null);
            problems.leave();
            good = false;
        }
        return good ? spec : null;
    }
}
