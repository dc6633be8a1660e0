package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FailureBudget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A campaign in short. */
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
        @Nullable BudgetItem budget,
        @Nullable String wave,
        @Nullable Instant expectedEndAt,
        List<String> warnings) {
    private static final int MOST_WARNINGS = 1_024;
    static final JsonObjectCodec<CampaignListItem> ITEM =
            members(JsonObjectCodec.of("campaign-item", "A campaign in short."));

    /** What may fail. */
    public record BudgetItem(int machines, int used, int remaining) {
        static final JsonObjectCodec<BudgetItem> BUDGET = codec();

        private static JsonObjectCodec<BudgetItem> codec() {
            var it = JsonObjectCodec.<BudgetItem>of("budget", "How many machines may fail.");
            it.required("machines", ScalarCodecs.COUNT, "As many as may.", BudgetItem::machines);
            it.required(
                    "used",
                    ScalarCodecs.COUNT,
                    "Machines that failed, are in flight, or are kept for a control plane.",
                    BudgetItem::used);
            it.required("left", ScalarCodecs.COUNT, "What is left for starts.", BudgetItem::remaining);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    public CampaignListItem {
        warnings = List.copyOf(warnings);
    }

    public static CampaignListItem of(FleetState state, CampaignRollout campaign, Instant now) {
        CampaignStatus status = campaign.status();
        FailureBudget stated = campaign.spec().failureBudget();
        Integer budget = stated == null ? null : (Integer) stated.maxFailures().of(campaign.total());
        String wave = null;
        for (WaveProgress count : campaign.waves()) {
            if (wave == null && !count.isClosed()) {
                wave = count.wave().name();
            }
        }
        return new CampaignListItem(
                status.name().name(),
                status.uid(),
                status.state(),
                status.pauseReason(),
                status.since(),
                campaign.spec().target().text(),
                campaign.spec().priority(),
                campaign.total(),
                campaign.remaining(),
                campaign.inFlight(),
                budget == null
                        ? null
                        : new BudgetItem(budget, campaign.budgetUsed(), Math.max(0, budget - campaign.budgetUsed())),
                wave,
                CampaignEndEstimate.of(campaign).estimateEnd(now),
                CampaignWarningFinder.findWarnings(state, campaign, now).stream()
                        .map(CampaignWarning::message)
                        .limit(MOST_WARNINGS)
                        .toList());
    }

    private static JsonObjectCodec<CampaignListItem> members(JsonObjectCodec.CodecBuilder<CampaignListItem> it) {
        it.required("campaign", ScalarCodecs.TOKEN, "Its name.", CampaignListItem::campaign);
        it.required(
                "uid",
                ScalarCodecs.SEQ,
                "Which campaign of that name: the decision that accepted it.",
                CampaignListItem::uid);
        it.required("state", ResponseCodecs.RUN_STATE, "What it is doing.", CampaignListItem::state);
        it.optional("pauseReason", ResponseCodecs.WORDS, "Why it pauses.", CampaignListItem::pauseReason);
        it.required("since", ScalarCodecs.INSTANT, "Since when.", CampaignListItem::since);
        it.required("target", ResponseCodecs.WORDS, "Where its machines are to go.", CampaignListItem::target);
        it.required("priority", ScalarCodecs.COUNT, "The highest goes first.", CampaignListItem::priority);
        it.required("machines", ScalarCodecs.COUNT, "Machines that are in it.", CampaignListItem::machines);
        it.required(
                "remaining",
                ScalarCodecs.COUNT,
                "Of these, the ones that have not ended.",
                CampaignListItem::remaining);
        it.required("inFlight", ScalarCodecs.COUNT, "Of these, in flight.", CampaignListItem::inFlight);
        it.optional("budget", BudgetItem.BUDGET, "How many may fail; absent for no budget.", CampaignListItem::budget);
        it.optional("wave", ScalarCodecs.TOKEN, "The first wave that is not closed.", CampaignListItem::wave);
        it.optional(
                "expected",
                ScalarCodecs.INSTANT,
                "When it should end if it goes on as now: as many in flight, each for as long as half of those before"
                        + " took at most. Absent where none is in flight, or too few have ended to tell.",
                CampaignListItem::expectedEndAt);
        it.required(
                "warnings",
                new ListCodec<>(ResponseCodecs.WORDS, MOST_WARNINGS),
                "Why it starts less than its file asks for: sentences that go on after its name.",
                CampaignListItem::warnings);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
