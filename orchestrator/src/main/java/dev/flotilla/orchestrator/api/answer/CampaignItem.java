package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.CampaignState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A campaign in short. */
public record CampaignItem(
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
        @Nullable Budget budget,
        @Nullable String wave,
        @Nullable Instant expected,
        List<String> warnings) {
    private static final int MOST_WARNINGS = 1_024;
    static final JsonObjectCodec<CampaignItem> ITEM = members(JsonObjectCodec.of("campaign-item", "A campaign in short."));

    /** What may fail. */
    public record Budget(int machines, int used, int left) {
        static final JsonObjectCodec<Budget> BUDGET = codec();

        private static JsonObjectCodec<Budget> codec() {
            var it = JsonObjectCodec.<Budget>of("budget", "How many machines may fail.");
            it.required("machines", ScalarCodecs.COUNT, "As many as may.", Budget::machines);
            it.required(
                    "used",
                    ScalarCodecs.COUNT,
                    "Machines that failed, are in flight, or are kept for a control plane.",
                    Budget::used);
            it.required("left", ScalarCodecs.COUNT, "What is left for starts.", Budget::left);
            return Written.only(it);
        }
    }

    public CampaignItem {
        warnings = List.copyOf(warnings);
    }

    public static CampaignItem of(FleetState state, CampaignRollout campaign, Instant now) {
        CampaignStatus status = campaign.status();
        FailureBudget stated = campaign.spec().failureBudget();
        Integer budget = stated == null ? null : (Integer) stated.maxFailures().of(campaign.total());
        String wave = null;
        for (WaveProgress count : campaign.waves()) {
            if (wave == null && !count.isClosed()) {
                wave = count.wave().name();
            }
        }
        return new CampaignItem(
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
                        : new Budget(budget, campaign.budgetUsed(), Math.max(0, budget - campaign.budgetUsed())),
                wave,
                Pace.of(campaign).ends(now),
                CampaignWarningFinder.findWarnings(state, campaign, now).stream()
                        .map(CampaignWarning::message)
                        .limit(MOST_WARNINGS)
                        .toList());
    }

    private static JsonObjectCodec<CampaignItem> members(JsonObjectCodec.CodecBuilder<CampaignItem> it) {
        it.required("campaign", ScalarCodecs.TOKEN, "Its name.", CampaignItem::campaign);
        it.required(
                "uid", ScalarCodecs.SEQ, "Which campaign of that name: the decision that accepted it.", CampaignItem::uid);
        it.required("state", Forms.RUN_STATE, "What it is doing.", CampaignItem::state);
        it.optional("pauseReason", Forms.WORDS, "Why it pauses.", CampaignItem::pauseReason);
        it.required("since", ScalarCodecs.INSTANT, "Since when.", CampaignItem::since);
        it.required("target", Forms.WORDS, "Where its machines are to go.", CampaignItem::target);
        it.required("priority", ScalarCodecs.COUNT, "The highest goes first.", CampaignItem::priority);
        it.required("machines", ScalarCodecs.COUNT, "Machines that are in it.", CampaignItem::machines);
        it.required("remaining", ScalarCodecs.COUNT, "Of these, the ones that have not ended.", CampaignItem::remaining);
        it.required("inFlight", ScalarCodecs.COUNT, "Of these, in flight.", CampaignItem::inFlight);
        it.optional("budget", Budget.BUDGET, "How many may fail; absent for no budget.", CampaignItem::budget);
        it.optional("wave", ScalarCodecs.TOKEN, "The first wave that is not closed.", CampaignItem::wave);
        it.optional(
                "expected",
                ScalarCodecs.INSTANT,
                "When it should end if it goes on as now: as many in flight, each for as long as half of those before"
                        + " took at most. Absent where none is in flight, or too few have ended to tell.",
                CampaignItem::expected);
        it.required(
                "warnings",
                new ListCodec<>(Forms.WORDS, MOST_WARNINGS),
                "Why it starts less than its file asks for: sentences that go on after its name.",
                CampaignItem::warnings);
        return Written.only(it);
    }
}
