package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import org.jspecify.annotations.Nullable;

/** How many machines of a campaign that have not ended are prepared. */
record PreparationCounts(int prepared, int preparing, int failed) {
    static final JsonObjectCodec<PreparationCounts> COUNTS = codec();

    /** The counts of a campaign; null if it has no machines prepared. */
    static @Nullable PreparationCounts of(CampaignRollout campaign) {
        return campaign.spec().preparation() == null
                ? null
                : new PreparationCounts(campaign.prepared(), campaign.preparing(), campaign.unprepared());
    }

    private static JsonObjectCodec<PreparationCounts> codec() {
        var it = JsonObjectCodec.<PreparationCounts>of(
                "preparations", "How many machines that have not ended are prepared.");
        it.required("prepared", ScalarCodecs.COUNT, "Machines that are prepared.", PreparationCounts::prepared);
        it.required("preparing", ScalarCodecs.COUNT, "Machines that prepare now.", PreparationCounts::preparing);
        it.required("failed", ScalarCodecs.COUNT, "Machines whose last preparation failed.", PreparationCounts::failed);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
