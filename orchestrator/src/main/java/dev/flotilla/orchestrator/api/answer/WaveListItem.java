package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.core.gate.CampaignPolicyStartRules;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How far a wave is. */
public record WaveListItem(
        String wave,
        int machines,
        int remaining,
        int atTarget,
        int skipped,
        int successPercent,
        boolean approved,
        @Nullable WaveStatus status) {
    static final JsonObjectCodec<WaveListItem> ITEM = codec();

    static WaveListItem of(FleetState state, CampaignRollout campaign, WaveProgress wave) {
        return new WaveListItem(
                wave.wave().name(),
                wave.total(),
                wave.remaining(),
                wave.atTarget(),
                wave.total() - wave.counted(),
                wave.wave().successPercent(),
                wave.mayOpen() && !wave.awaitsApproval() && !CampaignPolicyStartRules.isHeld(state, campaign, wave),
                wave.status());
    }

    private @Nullable Instant opened() {
        return status == null ? null : status.openedAt();
    }

    private @Nullable Instant lastSuccess() {
        return status == null ? null : status.lastSuccessAt();
    }

    private @Nullable Instant closed() {
        return status == null ? null : status.closedAt();
    }

    private static JsonObjectCodec<WaveListItem> codec() {
        var it = JsonObjectCodec.<WaveListItem>of("wave", "How far a wave is.");
        it.required("wave", ScalarCodecs.TOKEN, "Its name.", WaveListItem::wave);
        it.required("machines", ScalarCodecs.COUNT, "Machines in it.", WaveListItem::machines);
        it.required(
                "remaining", ScalarCodecs.COUNT, "Of these, the ones that have not ended.", WaveListItem::remaining);
        it.required("atTarget", ScalarCodecs.COUNT, "Of these, at the target.", WaveListItem::atTarget);
        it.required("skipped", ScalarCodecs.COUNT, "Of these, left out.", WaveListItem::skipped);
        it.required(
                "successPercent",
                ScalarCodecs.COUNT,
                "So many of a hundred must succeed before the next wave begins.",
                WaveListItem::successPercent);
        it.required("approved", ScalarCodecs.FLAG, "Whether no approval is waited for.", WaveListItem::approved);
        it.optional("opened", ScalarCodecs.INSTANT, "When it began.", WaveListItem::opened);
        it.optional("lastSuccess", ScalarCodecs.INSTANT, "When a machine last succeeded.", WaveListItem::lastSuccess);
        it.optional("closed", ScalarCodecs.INSTANT, "When it was done with.", WaveListItem::closed);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
