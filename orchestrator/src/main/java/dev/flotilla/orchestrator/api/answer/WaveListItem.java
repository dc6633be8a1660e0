package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.gate.CampaignPolicyStartRules;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A wave and its progress. */
record WaveListItem(
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
        var it = JsonObjectCodec.<WaveListItem>of("wave", "A wave and its progress.");
        it.required("wave", ScalarCodecs.TOKEN, "The wave's name.", WaveListItem::wave);
        it.required("machines", ScalarCodecs.COUNT, "The number of its machines.", WaveListItem::machines);
        it.required("remaining", ScalarCodecs.COUNT, "Machines that have not ended.", WaveListItem::remaining);
        it.required("atTarget", ScalarCodecs.COUNT, "Machines at the target.", WaveListItem::atTarget);
        it.required("skipped", ScalarCodecs.COUNT, "Skipped machines.", WaveListItem::skipped);
        it.required(
                "successPercent",
                ScalarCodecs.COUNT,
                "The percentage of machines that must succeed before the next wave opens.",
                WaveListItem::successPercent);
        it.required("approved", ScalarCodecs.FLAG, "Whether it needs no approval any more.", WaveListItem::approved);
        it.optional("openedAt", ScalarCodecs.INSTANT, "When it opened.", WaveListItem::opened);
        it.optional("lastSuccessAt", ScalarCodecs.INSTANT, "When a machine last succeeded.", WaveListItem::lastSuccess);
        it.optional("closedAt", ScalarCodecs.INSTANT, "When it closed.", WaveListItem::closed);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
