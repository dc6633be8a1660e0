package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A page of campaigns, by name. */
public record CampaignListResponse(
        List<CampaignListItem> campaigns, @Nullable String nextCursor) {
    public static final JsonCodec<CampaignListResponse> CODEC = codec();

    /** The campaigns after a name; the first ones if it is null. */
    public static CampaignListResponse of(StateView view, @Nullable CampaignName after, int limit) {
        SortedMap<CampaignName, CampaignRollout> all = view.state().campaigns();
        List<CampaignListItem> page = new ArrayList<>();
        for (CampaignRollout campaign : (after == null ? all : all.tailMap(after)).values()) {
            if (campaign.name().equals(after)) {
                continue;
            }
            if (page.size() == limit) {
                return new CampaignListResponse(page, page.get(limit - 1).campaign());
            }
            page.add(CampaignListItem.of(view.state(), campaign, view.now()));
        }
        return new CampaignListResponse(page, null);
    }

    private static JsonCodec<CampaignListResponse> codec() {
        var it = JsonObjectCodec.<CampaignListResponse>of("campaigns", "A page of campaigns, by name.");
        it.required(
                "campaigns",
                new ListCodec<>(CampaignListItem.ITEM, ResponseCodecs.MAX_PAGE_ITEMS),
                "The campaigns of the page.",
                CampaignListResponse::campaigns);
        it.optional(
                "nextCursor",
                ScalarCodecs.TOKEN,
                "Pass it as \"after\" to get the next page; absent on the last page.",
                CampaignListResponse::nextCursor);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
