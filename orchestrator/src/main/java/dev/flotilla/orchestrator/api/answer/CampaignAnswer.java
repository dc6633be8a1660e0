package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.rows.CampaignCodec;
import dev.flotilla.schemas.json.rows.CampaignStatusCodecs;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import java.time.Instant;
import java.util.List;

/** A campaign as it stands. */
public record CampaignAnswer(CampaignItem summary, CampaignStatus status, List<WaveItem> waves, GateTally gates) {
    public static final JsonCodec<CampaignAnswer> CODEC = codec();
    private static final int MOST_WAVES = 10_000;

    public static CampaignAnswer of(FleetState state, CampaignRollout campaign, GateTally gates, Instant now) {
        return new CampaignAnswer(
                CampaignItem.of(state, campaign, now),
                campaign.status(),
                campaign.waves().stream()
                        .map(wave -> WaveItem.of(state, campaign, wave))
                        .toList(),
                gates);
    }

    private Campaign specification() {
        return status.acceptedCampaign();
    }

    private static JsonCodec<CampaignAnswer> codec() {
        var it = JsonObjectCodec.<CampaignAnswer>of("campaign", "A campaign as it stands.");
        it.required("summary", CampaignItem.ITEM, "The campaign in short.", CampaignAnswer::summary);
        it.required(
                "specification",
                CampaignCodec.CAMPAIGN,
                "What was accepted, in the form of a campaign's file.",
                CampaignAnswer::specification);
        it.required("status", CampaignStatusCodecs.CAMPAIGN, "Its row in the table campaign-status.", CampaignAnswer::status);
        it.required(
                "waves", new ListCodec<>(WaveItem.ITEM, MOST_WAVES), "Its waves, in their order.", CampaignAnswer::waves);
        it.required("gates", GateTally.TALLY, "Where its machines wait.", CampaignAnswer::gates);
        return Written.only(it);
    }
}
