package dev.flotilla.core.campaign;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Undecidable;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waves that open and close, campaigns that are complete, and campaigns that are forgotten. */
public final class CampaignProgress {
    private CampaignProgress() {}

    public static Decision next(Draft draft) {
        FleetState state = draft.state();
        CampaignRollout campaign = state.pollTouched();
        while (campaign != null) {
            CampaignRollout touched = campaign;
            Decision decision = Undecidable.about(touched.name(), () -> look(draft, touched));
            if (!decision.isNothing()) {
                return decision;
            }
            campaign = state.pollTouched();
        }
        return Decision.NOTHING;
    }

    private static Decision look(Draft draft, CampaignRollout campaign) {
        if (campaign.over()) {
            return forget(draft, campaign);
        }
        if (campaign.total() == 0) {
            return Decision.NOTHING;
        }
        if (BudgetBreach.calls(draft.state(), campaign)) {
            return BudgetBreach.pause(draft, campaign);
        }
        WaveCount unbound = WaveCount.firstUnbound(campaign.waves());
        if (unbound != null && !draft.state().isPartlyUnread(campaign, unbound)) {
            return settle(draft, campaign, unbound);
        }
        if (campaign.remaining() == 0 && !draft.state().isPartlyUnread(campaign)) {
            return complete(draft, campaign);
        }
        boolean runs = campaign.status().state() == CampaignState.RUNNING && campaign.started(draft.at());
        return runs ? waves(draft, campaign) : Decision.NOTHING;
    }

    /** A campaign whose row was removed leaves no rows either, once nothing of it is in flight. */
    private static Decision forget(Draft draft, CampaignRollout campaign) {
        if (draft.state().campaign(campaign.name()) != null || campaign.inFlight() > 0) {
            return Decision.NOTHING;
        }
        draft.state().waveRows(campaign.name()).forEach(wave -> draft.remove(Table.CAMPAIGN_STATUS, wave));
        return draft.remove(Table.CAMPAIGN_STATUS, campaign.name())
                .decide(Event.CAMPAIGN_FORGOTTEN, campaign.name(), "");
    }

    private static Decision complete(Draft draft, CampaignRollout campaign) {
        WaveCount open = firstNotClosed(campaign);
        if (open != null && open.isOpen()) {
            return close(draft, campaign, open);
        }
        return draft.write(campaign.status().withState(CampaignState.COMPLETED, null, draft.at()))
                .decide(Event.CAMPAIGN_COMPLETED, campaign.name(), "");
    }

    private static Decision waves(Draft draft, CampaignRollout campaign) {
        WaveCount wave = firstNotClosed(campaign);
        if (wave == null || wave.isUnbound()) {
            return Decision.NOTHING;
        }
        boolean known = !draft.state().isPartlyUnread(campaign, wave);
        if (!wave.isOpen()) {
            return wave.mayOpen() || (known && wave.total() == 0) ? open(draft, campaign, wave) : Decision.NOTHING;
        }
        boolean last = wave == campaign.waves().get(campaign.waves().size() - 1);
        return known && !last && wave.hasSucceeded() ? close(draft, campaign, wave) : Decision.NOTHING;
    }

    private static @Nullable WaveCount firstNotClosed(CampaignRollout campaign) {
        List<WaveCount> waves = campaign.waves();
        for (WaveCount wave : waves) {
            if (!wave.isClosed()) {
                return wave;
            }
        }
        return null;
    }

    private static Decision open(Draft draft, CampaignRollout campaign, WaveCount wave) {
        return draft.write(wave.row(campaign).withOpenedAt(draft.at()))
                .decide(
                        Event.WAVE_OPENED,
                        new WaveKey(campaign.name(), wave.wave().name()),
                        wave.total() + " machines");
    }

    /** It is done with, unless it has to soak or somebody has to look at it first. */
    private static Decision close(Draft draft, CampaignRollout campaign, WaveCount wave) {
        Instant soaked = wave.soaked(campaign.status());
        if (soaked != null && draft.at().isBefore(soaked)) {
            campaign.wakeAt(soaked);
            return Decision.NOTHING;
        }
        return wave.awaitsApproval()
                ? Decision.NOTHING
                : draft.write(wave.row(campaign).withClosedAt(draft.at()))
                        .decide(
                                Event.WAVE_CLOSED,
                                new WaveKey(campaign.name(), wave.wave().name()),
                                wave.atTarget() + " of " + wave.counted() + " at target");
    }

    /** Settles how much a wave with a percentage or a count takes: once, so that who joins later moves nobody else. */
    private static Decision settle(Draft draft, CampaignRollout campaign, WaveCount wave) {
        int bound = draft.state().boundOf(campaign, wave);
        return draft.write(wave.row(campaign).withShare(bound))
                .decide(
                        Event.WAVE_SETTLED,
                        new WaveKey(campaign.name(), wave.wave().name()),
                        bound + " millionths of the clusters that it selects");
    }
}
