package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignEndEstimate;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.FailureBudgetUsage;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A campaign in a list. */
public record CampaignListItem(
        String campaign,
        long uid,
        CampaignState state,
        @Nullable String pauseReason,
        Instant since,
        String target,
        int priority,
        int machines,
        int remaining,
        int inFlight,
        @Nullable PreparationCounts preparations,
        @Nullable FailureBudgetUsage budget,
        @Nullable String wave,
        @Nullable Instant expectedEndAt,
        List<String> warnings) {
    private static final int MAX_WARNINGS = 1_024;
    private static final JsonObjectCodec<FailureBudgetUsage> BUDGET = buildBudgetCodec();
    static final JsonObjectCodec<CampaignListItem> ITEM =
            buildCodec(JsonObjectCodec.of("campaign-item", "A campaign in a list."));

    public CampaignListItem {
        warnings = List.copyOf(warnings);
    }

    public static CampaignListItem of(FleetState state, CampaignRollout campaign, Instant now) {
        CampaignStatus status = campaign.status();
        String wave = null;
        for (WaveProgress progress : campaign.waves()) {
            if (wave == null && !progress.isClosed()) {
                wave = progress.wave().name();
            }
        }
        return new CampaignListItem(
                status.name().name(),
                status.uid(),
                status.state(),
                status.pauseReason(),
                status.stateSince(),
                campaign.spec().target().option().text(),
                campaign.spec().priority(),
                campaign.total(),
                campaign.remaining(),
                campaign.inFlight(),
                PreparationCounts.of(campaign),
                FailureBudgetUsage.of(campaign),
                wave,
                CampaignEndEstimate.of(campaign).estimateEnd(now),
                CampaignWarningFinder.findWarnings(state, campaign, now).stream()
                        .map(CampaignWarning::message)
                        .limit(MAX_WARNINGS)
                        .toList());
    }

    private static JsonObjectCodec<FailureBudgetUsage> buildBudgetCodec() {
        var it = JsonObjectCodec.<FailureBudgetUsage>of("budget", "The failure budget.");
        it.required("machines", ScalarCodecs.COUNT, "How many machines may fail.", FailureBudgetUsage::machines);
        it.required(
                "used",
                ScalarCodecs.COUNT,
                "Machines that failed or are in flight, or that are reserved for a half-upgraded control plane.",
                FailureBudgetUsage::used);
        it.required(
                "remaining", ScalarCodecs.COUNT, "How many more machines may start.", FailureBudgetUsage::remaining);
        return EncodeOnlyCodec.encodeOnly(it);
    }

    private static JsonObjectCodec<CampaignListItem> buildCodec(JsonObjectCodec.CodecBuilder<CampaignListItem> it) {
        it.required("campaign", ScalarCodecs.TOKEN, "The campaign's name.", CampaignListItem::campaign);
        it.required(
                "uid",
                ScalarCodecs.SEQ,
                "Number of the decision that accepted it; tells campaigns of the same name apart.",
                CampaignListItem::uid);
        it.required("state", ResponseCodecs.CAMPAIGN_STATE, "The campaign's state.", CampaignListItem::state);
        it.optional("pauseReason", ResponseCodecs.TEXT, "Why it is paused.", CampaignListItem::pauseReason);
        it.required("stateSince", ScalarCodecs.INSTANT, "Since when it is in this state.", CampaignListItem::since);
        it.required("target", ResponseCodecs.TEXT, "The target of its machines.", CampaignListItem::target);
        it.required(
                "priority",
                ScalarCodecs.COUNT,
                "Campaigns with a higher priority start first.",
                CampaignListItem::priority);
        it.required("machines", ScalarCodecs.COUNT, "The number of its machines.", CampaignListItem::machines);
        it.required("remaining", ScalarCodecs.COUNT, "Machines that have not ended.", CampaignListItem::remaining);
        it.required("inFlight", ScalarCodecs.COUNT, "Machines in flight.", CampaignListItem::inFlight);
        it.optional(
                "preparations",
                PreparationCounts.COUNTS,
                "How many of them are prepared; absent if the campaign has no prepare.",
                CampaignListItem::preparations);
        it.optional("budget", BUDGET, "The failure budget; absent if there is none.", CampaignListItem::budget);
        it.optional("wave", ScalarCodecs.TOKEN, "The first wave that is not closed.", CampaignListItem::wave);
        it.optional(
                "expectedEndAt",
                ScalarCodecs.INSTANT,
                "Expected end at the present pace: the present number in flight, each for the median duration so far."
                        + " Absent while the campaign does not run, none is in flight, or too few have ended.",
                CampaignListItem::expectedEndAt);
        it.required(
                "warnings",
                new ListCodec<>(ResponseCodecs.TEXT, MAX_WARNINGS),
                "Why it starts fewer machines than its manifest allows; each text continues a sentence that starts with"
                        + " the campaign's name.",
                CampaignListItem::warnings);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
