package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.rows.CampaignCodec;
import dev.flotilla.schemas.json.rows.CampaignStatusCodecs;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import java.time.Instant;
import java.util.List;

/** A campaign with its status, waves and gates. */
public record CampaignResponse(
        CampaignListItem summary, CampaignStatus status, List<WaveListItem> waves, BlockedMachineCounts gates) {
    public static final JsonCodec<CampaignResponse> CODEC = codec();
    private static final int MAX_WAVES = 10_000;

    public static CampaignResponse of(
            FleetState state, CampaignRollout campaign, BlockedMachineCounts gates, Instant now) {
        return new CampaignResponse(
                CampaignListItem.of(state, campaign, now),
                campaign.status(),
                campaign.waves().stream()
                        .map(wave -> WaveListItem.of(state, campaign, wave))
                        .toList(),
                gates);
    }

    private Campaign specification() {
        return status.acceptedCampaign();
    }

    private static JsonCodec<CampaignResponse> codec() {
        var it = JsonObjectCodec.<CampaignResponse>of("campaign", "A campaign with its status, waves and gates.");
        it.required("summary", CampaignListItem.ITEM, "The campaign's summary.", CampaignResponse::summary);
        it.required(
                "specification",
                CampaignCodec.CAMPAIGN,
                "The accepted specification, as in a campaign manifest.",
                CampaignResponse::specification);
        it.required(
                "status", CampaignStatusCodecs.CAMPAIGN, "Its row in table campaign-status.", CampaignResponse::status);
        it.required(
                "waves",
                new ListCodec<>(WaveListItem.ITEM, MAX_WAVES),
                "Its waves, in order.",
                CampaignResponse::waves);
        it.required(
                "gates",
                BlockedMachineCounts.CODEC,
                "Its waiting machines by the gate that blocks them.",
                CampaignResponse::gates);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
