package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the fleet's policy asks of campaigns when they start machines, whatever it asked when they were accepted. */
public final class CampaignPolicyStartRules {
    private CampaignPolicyStartRules() {}

    private static CampaignRule rule(FleetState state) {
        UpgradePolicy fleet = state.policy(FleetScope.FLEET);
        return fleet == null ? CampaignRule.NONE : fleet.campaignRule();
    }

    /** Whether a campaign may lead where it leads. */
    static boolean allowsTarget(FleetState state, CampaignRollout campaign) {
        return campaign.spec().target().matches(rule(state).targetPatterns());
    }

    /** Whether a wave of a campaign may start without an approval, or there is one. */
    static boolean allowsStart(FleetState state, CampaignRollout campaign, int wave) {
        RequiredApproval required = rule(state).requireApproval();
        return required == null || isApproved(campaign) || isFreeFirstWave(state, campaign, wave);
    }

    /**
     * Whether a person has approved of any wave. Approvals of waves that are not done with end with each edit, and an edit of a campaign
     * in which somebody approved waits for a person.
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

    private static boolean isFreeFirstWave(FleetState state, CampaignRollout campaign, int wave) {
        return rule(state).requireApproval() == RequiredApproval.AFTER_FIRST_WAVE
                && wave == 0
                && campaign.waves().size() > 1
                && !isFirstWaveTooLarge(state, campaign);
    }

    /** Whether a wave has begun, and starts nothing before a person approves since the policy wants it so. */
    public static boolean isHeld(FleetState state, CampaignRollout campaign, WaveProgress wave) {
        return wave.isOpen()
                && !wave.isClosed()
                && !allowsStart(state, campaign, campaign.waves().indexOf(wave));
    }

    /** A wave takes whole clusters: one is never too large, nor a share that is stated as no larger, whatever it comes to. */
    private static boolean isFirstWaveTooLarge(FleetState state, CampaignRollout campaign) {
        WaveProgress first = campaign.waves().get(0);
        CountOrPercent most = rule(state).maxFirstWave();
        boolean stated = first.wave().size() instanceof CountOrPercent.Percent takes
                && most instanceof CountOrPercent.Percent share
                && takes.percent() <= share.percent();
        return !stated && first.clusters() > 1 && first.total() > most.of(campaign.total());
    }

    /** Why a campaign may not lead where it leads, after its name; null where it may. */
    public static @Nullable String targetProblem(FleetState state, CampaignRollout campaign) {
        return allowsTarget(state, campaign)
                ? null
                : "leads to " + campaign.spec().target().text()
                        + ", and the fleet's policy allows campaigns to lead to "
                        + String.join(", ", rule(state).targetPatterns())
                        + " (campaigns.targets): what has not begun waits. Abort the campaign, or let the policy allow its target";
    }

    /** Which approval the fleet's policy misses before a wave of a campaign starts, after the campaign's name; null for none. */
    public static @Nullable String approvalProblem(FleetState state, CampaignRollout campaign, int wave) {
        if (allowsStart(state, campaign, wave)) {
            return null;
        }
        String large = wave == 0 ? firstWaveProblem(state, campaign) : null;
        if (large != null) {
            return large;
        }
        boolean beyond =
                campaign.waves().size() > 1 && rule(state).requireApproval() == RequiredApproval.AFTER_FIRST_WAVE;
        return "has no approval, and the fleet's policy requires one before anything starts"
                + (beyond ? " beyond the first wave" : "")
                + " (campaigns.requireApproval): it waits for the order "
                + approve(campaign, askedFor(campaign, wave));
    }

    /** Why the first wave of a campaign is too large to start without an approval, after its name; null where it is not. */
    public static @Nullable String firstWaveProblem(FleetState state, CampaignRollout campaign) {
        if (rule(state).requireApproval() != RequiredApproval.AFTER_FIRST_WAVE
                || campaign.waves().size() == 1
                || isApproved(campaign)
                || !isFirstWaveTooLarge(state, campaign)) {
            return null;
        }
        WaveProgress first = campaign.waves().get(0);
        return "takes " + first.total() + " of its " + campaign.total() + " machines in its first wave, and the fleet's"
                + " policy lets a first wave take " + rule(state).maxFirstWave()
                + " without an approval before it (campaigns.firstWave): edit the wave to take less, or "
                + (first.wave().needsApprovalAfter()
                        ? "to ask for an approval before it"
                        : "wait for the order " + approve(campaign, first));
    }

    /** The wave for which its author asks for an approval first; else the one that wants to start. */
    private static WaveProgress askedFor(CampaignRollout campaign, int wave) {
        return campaign.waves().stream()
                .filter(asks -> asks.wave().approval() != Wave.WaveApproval.NONE)
                .findFirst()
                .orElse(campaign.waves().get(wave));
    }

    private static OperatorOrderKey approve(CampaignRollout campaign, WaveProgress wave) {
        return new OperatorOrderKey.ApproveWave(campaign.name(), wave.wave().name());
    }
}
