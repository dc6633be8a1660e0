package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.start.FleetStateReader;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules of the fleet's policy that campaigns must fulfil whenever they start machines, whatever the policy was when
 * they were accepted.
 */
public final class CampaignPolicyStartRules {
    private CampaignPolicyStartRules() {}

    private static CampaignRule campaignRule(FleetStateReader state) {
        UpgradePolicy fleet = state.policy(FleetScope.FLEET);
        return fleet == null ? CampaignRule.NONE : fleet.campaignRule();
    }

    /** Whether the policy allows a campaign's target. */
    static boolean allowsTarget(FleetStateReader state, CampaignRollout campaign) {
        return campaign.spec().target().option().matches(campaignRule(state).targetPatterns());
    }

    /** Whether a wave of a campaign may start: it needs no approval, or the campaign has one. */
    static boolean allowsStart(FleetStateReader state, CampaignRollout campaign, int wave) {
        RequiredApproval required = campaignRule(state).requireApproval();
        return required == null || isApproved(campaign) || isFreeFirstWave(state, campaign, wave);
    }

    /**
     * Whether any wave is approved. An edit ends the approvals of unfinished waves, and an edit of a campaign with an
     * approval must itself be approved.
     */
    private static boolean isApproved(CampaignRollout campaign) {
        List<WaveProgress> waves = campaign.waves();
        for (int i = 0; i < waves.size(); i++) {
            if (waves.get(i).isApproved()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFreeFirstWave(FleetStateReader state, CampaignRollout campaign, int wave) {
        return campaignRule(state).requireApproval() == RequiredApproval.AFTER_FIRST_WAVE
                && wave == 0
                && campaign.waves().size() > 1
                && !isFirstWaveTooLarge(state, campaign);
    }

    /** Whether a wave has started but starts no more machines, because the policy now requires an approval. */
    public static boolean isHeld(FleetStateReader state, CampaignRollout campaign, WaveProgress wave) {
        return wave.isOpen()
                && !wave.isClosed()
                && !allowsStart(state, campaign, campaign.waves().indexOf(wave));
    }

    /**
     * Whether the first wave exceeds the policy's maximum. A wave takes whole clusters, so a single cluster is never
     * too large, and neither is a percentage that is within the maximum, whatever number of machines it comes to.
     */
    private static boolean isFirstWaveTooLarge(FleetStateReader state, CampaignRollout campaign) {
        WaveProgress first = campaign.waves().get(0);
        CountOrPercent maxFirstWave = campaignRule(state).maxFirstWave();
        boolean withinStatedShare = first.wave().size() instanceof CountOrPercent.Percent takes
                && maxFirstWave instanceof CountOrPercent.Percent share
                && takes.percent() <= share.percent();
        return !withinStatedShare && first.clusters() > 1 && first.total() > maxFirstWave.of(campaign.total());
    }

    /** Why the policy does not allow a campaign's target, phrased to follow the campaign's name; null if it does. */
    public static @Nullable String targetProblem(FleetStateReader state, CampaignRollout campaign) {
        return allowsTarget(state, campaign)
                ? null
                : "has the target " + campaign.spec().target().option().text()
                        + ", but the fleet's policy allows campaigns only the targets "
                        + String.join(", ", campaignRule(state).targetPatterns())
                        + " (campaigns.targets): no more machines start. Abort the campaign, or allow its target in the policy";
    }

    /**
     * Which approval the policy requires before a wave starts, phrased to follow the campaign's name; null for none.
     */
    public static @Nullable String approvalProblem(FleetStateReader state, CampaignRollout campaign, int wave) {
        if (allowsStart(state, campaign, wave)) {
            return null;
        }
        String sizeProblem = wave == 0 ? firstWaveProblem(state, campaign) : null;
        if (sizeProblem != null) {
            return sizeProblem;
        }
        boolean beyondFirstWave = campaign.waves().size() > 1
                && campaignRule(state).requireApproval() == RequiredApproval.AFTER_FIRST_WAVE;
        return "has no approval, but the fleet's policy requires one before anything starts"
                + (beyondFirstWave ? " beyond the first wave" : "")
                + " (campaigns.requireApproval): run "
                + GateMessages.approveCommand(campaign, waveToApprove(campaign, wave));
    }

    /**
     * Why the first wave is too large to start without an approval, phrased to follow the campaign's name; null if it
     * is not.
     */
    public static @Nullable String firstWaveProblem(FleetStateReader state, CampaignRollout campaign) {
        if (campaignRule(state).requireApproval() != RequiredApproval.AFTER_FIRST_WAVE
                || campaign.waves().size() == 1
                || isApproved(campaign)
                || !isFirstWaveTooLarge(state, campaign)) {
            return null;
        }
        WaveProgress first = campaign.waves().get(0);
        return "has " + first.total() + " of its " + campaign.total() + " machines in the first wave, but the fleet's"
                + " policy allows " + campaignRule(state).maxFirstWave()
                + " without an approval before it (campaigns.firstWave): make the wave smaller, or "
                + (first.wave().needsApprovalAfter()
                        ? "require an approval before it"
                        : "run " + GateMessages.approveCommand(campaign, first));
    }

    /**
     * The first wave for which the campaign's author requires an approval; otherwise the wave that is about to start.
     */
    private static WaveProgress waveToApprove(CampaignRollout campaign, int wave) {
        return campaign.waves().stream()
                .filter(progress -> progress.wave().approval() != Wave.WaveApproval.NONE)
                .findFirst()
                .orElse(campaign.waves().get(wave));
    }
}
