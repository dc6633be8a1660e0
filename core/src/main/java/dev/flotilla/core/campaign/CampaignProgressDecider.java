package dev.flotilla.core.campaign;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.DueWorkQueue;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens and closes waves, completes campaigns, and removes the rows of deleted campaigns. */
public final class CampaignProgressDecider {
    private CampaignProgressDecider() {}

    public static Decision decideNext(DecisionBuilder draft) {
        DueWorkQueue dueWork = draft.state().dueWork();
        CampaignRollout campaign = dueWork.pollTouchedCampaign();
        while (campaign != null) {
            CampaignRollout touched = campaign;
            Decision decision = DecisionFailedException.runFor(touched.name(), () -> decideCampaign(draft, touched));
            if (!decision.isNothing()) {
                return decision;
            }
            campaign = dueWork.pollTouchedCampaign();
        }
        return Decision.NOTHING;
    }

    private static Decision decideCampaign(DecisionBuilder draft, CampaignRollout campaign) {
        if (campaign.isOver()) {
            return purgeCampaign(draft, campaign);
        }
        if (campaign.total() == 0) {
            return Decision.NOTHING;
        }
        if (FailureBudgetPauseDecider.isPauseDue(draft.state(), campaign)) {
            return FailureBudgetPauseDecider.pause(draft, campaign);
        }
        WaveProgress unsized = WaveProgress.firstWithoutShare(campaign.waves());
        if (unsized != null && !draft.state().isPartlyUnrestored(campaign, unsized)) {
            return fixWaveSize(draft, campaign, unsized);
        }
        if (campaign.remaining() == 0 && !draft.state().isPartlyUnrestored(campaign)) {
            return completeCampaign(draft, campaign);
        }
        boolean runs = campaign.status().state() == CampaignState.RUNNING && campaign.hasStarted(draft.at());
        return runs ? decideWaves(draft, campaign) : Decision.NOTHING;
    }

    /** Removes the status rows of a campaign whose row was deleted, once nothing of it is in flight. */
    private static Decision purgeCampaign(DecisionBuilder draft, CampaignRollout campaign) {
        if (draft.state().campaign(campaign.name()) != null || campaign.inFlight() > 0) {
            return Decision.NOTHING;
        }
        draft.state().waveRows(campaign.name()).forEach(wave -> draft.remove(Table.CAMPAIGN_STATUS, wave));
        return draft.remove(Table.CAMPAIGN_STATUS, campaign.name())
                .build(DecisionEvent.CAMPAIGN_PURGED, campaign.name(), "");
    }

    private static Decision completeCampaign(DecisionBuilder draft, CampaignRollout campaign) {
        WaveProgress open = firstNotClosed(campaign);
        if (open != null && open.isOpen()) {
            return closeWave(draft, campaign, open);
        }
        return draft.write(campaign.status().withState(CampaignState.COMPLETED, null, draft.at()))
                .build(DecisionEvent.CAMPAIGN_COMPLETED, campaign.name(), "");
    }

    private static Decision decideWaves(DecisionBuilder draft, CampaignRollout campaign) {
        WaveProgress wave = firstNotClosed(campaign);
        if (wave == null || wave.isShareUnset()) {
            return Decision.NOTHING;
        }
        boolean allSitesReadable = !draft.state().isPartlyUnrestored(campaign, wave);
        if (!wave.isOpen()) {
            return wave.mayOpen() || (allSitesReadable && wave.total() == 0)
                    ? openWave(draft, campaign, wave)
                    : Decision.NOTHING;
        }
        boolean last = wave == campaign.waves().get(campaign.waves().size() - 1);
        return allSitesReadable && !last && wave.hasSucceeded() ? closeWave(draft, campaign, wave) : Decision.NOTHING;
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

    private static Decision openWave(DecisionBuilder draft, CampaignRollout campaign, WaveProgress wave) {
        return draft.write(campaign.rowOf(wave).withOpenedAt(draft.at()))
                .build(
                        DecisionEvent.WAVE_OPENED,
                        new WaveKey(campaign.name(), wave.wave().name()),
                        wave.total() + " machines");
    }

    /** Closes a wave, unless it still soaks or awaits an approval. */
    private static Decision closeWave(DecisionBuilder draft, CampaignRollout campaign, WaveProgress wave) {
        Instant soakEndsAt = wave.soakEndsAt(campaign.status());
        if (soakEndsAt != null && draft.at().isBefore(soakEndsAt)) {
            campaign.wakeAt(soakEndsAt);
            return Decision.NOTHING;
        }
        return wave.awaitsApproval()
                ? Decision.NOTHING
                : draft.write(campaign.rowOf(wave).withClosedAt(draft.at()))
                        .build(
                                DecisionEvent.WAVE_CLOSED,
                                new WaveKey(campaign.name(), wave.wave().name()),
                                wave.atTarget() + " of " + wave.counted() + " at target");
    }

    /**
     * Fixes the size of a wave with a percentage or count, once, so that clusters that join later move no other cluster
     * to another wave.
     */
    private static Decision fixWaveSize(DecisionBuilder draft, CampaignRollout campaign, WaveProgress wave) {
        int share = draft.state().waveShareOf(campaign, wave);
        return draft.write(campaign.rowOf(wave).withShare(share))
                .build(
                        DecisionEvent.WAVE_SIZE_FIXED,
                        new WaveKey(campaign.name(), wave.wave().name()),
                        share + " millionths of the clusters that it selects");
    }
}
