package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.core.gate.CampaignPolicy;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How far a wave is. */
public record WaveItem(
        String wave,
        int machines,
        int remaining,
        int atTarget,
        int skipped,
        int successPercent,
        boolean approved,
        @Nullable WaveStatus status) {
    static final RecordCodec<WaveItem> ITEM = codec();

    static WaveItem of(FleetState state, CampaignRollout campaign, WaveCount wave) {
        return new WaveItem(
                wave.wave().name(),
                wave.total(),
                wave.remaining(),
                wave.atTarget(),
                wave.total() - wave.counted(),
                wave.wave().successPercent(),
                wave.mayOpen() && !wave.awaitsApproval() && !CampaignPolicy.isHeld(state, campaign, wave),
                wave.status());
    }

    private @Nullable Instant opened() {
        return status == null ? null : status.opened();
    }

    private @Nullable Instant lastSuccess() {
        return status == null ? null : status.lastSuccess();
    }

    private @Nullable Instant closed() {
        return status == null ? null : status.closed();
    }

    private static RecordCodec<WaveItem> codec() {
        var it = RecordCodec.<WaveItem>of("wave", "How far a wave is.");
        it.required("wave", Scalars.TOKEN, "Its name.", WaveItem::wave);
        it.required("machines", Scalars.COUNT, "Machines in it.", WaveItem::machines);
        it.required("remaining", Scalars.COUNT, "Of these, the ones that have not ended.", WaveItem::remaining);
        it.required("atTarget", Scalars.COUNT, "Of these, at the target.", WaveItem::atTarget);
        it.required("skipped", Scalars.COUNT, "Of these, left out.", WaveItem::skipped);
        it.required(
                "successPercent",
                Scalars.COUNT,
                "So many of a hundred must succeed before the next wave begins.",
                WaveItem::successPercent);
        it.required("approved", Scalars.FLAG, "Whether no approval is waited for.", WaveItem::approved);
        it.optional("opened", Scalars.INSTANT, "When it began.", WaveItem::opened);
        it.optional("lastSuccess", Scalars.INSTANT, "When a machine last succeeded.", WaveItem::lastSuccess);
        it.optional("closed", Scalars.INSTANT, "When it was done with.", WaveItem::closed);
        return Written.only(it);
    }
}
