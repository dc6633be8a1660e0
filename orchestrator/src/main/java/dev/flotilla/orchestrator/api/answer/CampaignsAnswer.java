package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Campaigns by name, a page of them. */
public record CampaignsAnswer(
        List<CampaignItem> campaigns, @Nullable String next) {
    public static final JsonCodec<CampaignsAnswer> CODEC = codec();

    /** The campaigns behind a name; null for the first ones. */
    public static CampaignsAnswer of(View view, @Nullable CampaignName after, int limit) {
        SortedMap<CampaignName, CampaignRollout> all = view.state().campaigns();
        List<CampaignItem> page = new ArrayList<>();
        for (CampaignRollout campaign : (after == null ? all : all.tailMap(after)).values()) {
            if (campaign.name().equals(after)) {
                continue;
            }
            if (page.size() == limit) {
                return new CampaignsAnswer(page, page.get(limit - 1).campaign());
            }
            page.add(CampaignItem.of(view.state(), campaign, view.now()));
        }
        return new CampaignsAnswer(page, null);
    }

    private static JsonCodec<CampaignsAnswer> codec() {
        var it = JsonObjectCodec.<CampaignsAnswer>of("campaigns", "Campaigns by name, a page of them.");
        it.required("campaigns", new ListCodec<>(CampaignItem.ITEM, Forms.MOST), "The page.", CampaignsAnswer::campaigns);
        it.optional(
                "next",
                ScalarCodecs.TOKEN,
                "Give it as \"after\" for the next page; absent at the end.",
                CampaignsAnswer::next);
        return Written.only(it);
    }
}
