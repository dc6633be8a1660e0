package dev.flotilla.core.campaign;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waves that open and close, campaigns that are complete, and campaigns that are forgotten. */
public final class CampaignProgressDecider {
    private CampaignProgressDecider() {}

    public static Decision decideNext(DecisionBuilder draft) {
        FleetState state = draft.state();
        CampaignRollout campaign = state.pollTouchedCampaign();
        while (campaign != null) {
            CampaignRollout touched = campaign;
            Decision decision = DecisionFailedException.runFor(touched.name(), () -> look(draft, touched));
            if (!decision.isNothing()) {
                return decision;
            }
            campaign = state.pollTouchedCampaign();
        }
        return Decision.NOTHING;
    }

    private static Decision look(DecisionBuilder draft, CampaignRollout campaign) {
        if (campaign.isOver()) {
            return forget(draft, campaign);
        }
        if (campaign.total() == 0) {
            return Decision.NOTHING;
        }
        if (FailureBudgetPauseDecider.isPauseDue(draft.state(), campaign)) {
            return FailureBudgetPauseDecider.pause(draft, campaign);
        }
        WaveProgress unbound = WaveProgress.firstWithoutShare(campaign.waves());
        if (unbound != null && !draft.state().isPartlyUnrestored(campaign, unbound)) {
            return settle(draft, campaign, unbound);
        }
        if (campaign.remaining() == 0 && !draft.state().isPartlyUnrestored(campaign)) {
            return complete(draft, campaign);
        }
        boolean runs = campaign.status().state() == CampaignState.RUNNING && campaign.hasStarted(draft.at());
        return runs ? waves(draft, campaign) : Decision.NOTHING;
    }

    /** A campaign whose row was removed leaves no rows either, once nothing of it is in flight. */
    private static Decision forget(DecisionBuilder draft, CampaignRollout campaign) {
        if (draft.state().campaign(campaign.name()) != null || campaign.inFlight() > 0) {
            return Decision.NOTHING;
        }
        draft.state().waveRows(campaign.name()).forEach(wave -> draft.remove(Table.CAMPAIGN_STATUS, wave));
        return draft.remove(Table.CAMPAIGN_STATUS, campaign.name())
                .build(DecisionEvent.CAMPAIGN_PURGED, campaign.name(), "");
    }

    private static Decision complete(DecisionBuilder draft, CampaignRollout campaign) {
        WaveProgress open = firstNotClosed(campaign);
        if (open != null && open.isOpen()) {
            return close(draft, campaign, open);
        }
        return draft.write(campaign.status().withState(CampaignState.COMPLETED, null, draft.at()))
                .build(DecisionEvent.CAMPAIGN_COMPLETED, campaign.name(), "");
    }

    private static Decision waves(DecisionBuilder draft, CampaignRollout campaign) {
        WaveProgress wave = firstNotClosed(campaign);
        if (wave == null || wave.isShareUnset()) {
            return Decision.NOTHING;
        }
        boolean known = !draft.state().isPartlyUnrestored(campaign, wave);
        if (!wave.isOpen()) {
            return wave.mayOpen() || (known && wave.total() == 0) ? open(draft, campaign, wave) : Decision.NOTHING;
        }
        boolean last = wave == campaign.waves().get(campaign.waves().size() - 1);
        return known && !last && wave.hasSucceeded() ? close(draft, campaign, wave) : Decision.NOTHING;
    }

    private static @Nullable WaveProgress firstNotClosed(CampaignRollout campaign) {
        List<WaveProgress> waves = campaign.waves();
        for (WaveProgress wave : waves) {
            if (!wave.isClosed()) {
                return wave;
            }
        }
        return null;
    }

    private static Decision open(DecisionBuilder draft, CampaignRollout campaign, WaveProgress wave) {
        return draft.write(wave.row(campaign).withOpenedAt(draft.at()))
                .build(
                        DecisionEvent.WAVE_OPENED,
                        new WaveKey(campaign.name(), wave.wave().name()),
                        wave.total() + " machines");
    }

    /** It is done with, unless it has to soak or somebody has to look at it first. */
    private static Decision close(DecisionBuilder draft, CampaignRollout campaign, WaveProgress wave) {
        Instant soaked = wave.soakEndsAt(campaign.status());
        if (soaked != null && draft.at().isBefore(soaked)) {
            campaign.wakeAt(soaked);
            return Decision.NOTHING;
        }
        return wave.awaitsApproval()
                ? Decision.NOTHING
                : draft.write(wave.row(campaign).withClosedAt(draft.at()))
                        .build(
                                DecisionEvent.WAVE_CLOSED,
                                new WaveKey(campaign.name(), wave.wave().name()),
                                wave.atTarget() + " of " + wave.counted() + " at target");
    }

    /** Settles how much a wave with a percentage or a count takes: once, so that who joins later moves nobody else. */
    private static Decision settle(DecisionBuilder draft, CampaignRollout campaign, WaveProgress wave) {
        int bound = draft.state().waveShareOf(campaign, wave);
        return draft.write(wave.row(campaign).withShare(bound))
                .build(
                        DecisionEvent.WAVE_SIZE_FIXED,
                        new WaveKey(campaign.name(), wave.wave().name()),
                        bound + " millionths of the clusters that it selects");
    }
}
