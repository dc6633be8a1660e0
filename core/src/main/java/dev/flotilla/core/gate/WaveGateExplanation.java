package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.edition.CampaignContentHash;

/** Why a wave has not begun, in words and numbers. */
final class WaveGateExplanation {
    private WaveGateExplanation() {}

    private static final String UNREAD =
            "the orchestrator can read every site that may have machines in it, or an order writes the site off.";

    static ClosedGate explain(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        WaveProgress own = campaign.waves().get(c.backlog().wave());
        for (WaveProgress wave : campaign.waves()) {
            if (wave.isShareUnset()) {
                return new ClosedGate(
                        GateLabel.WAVE,
                        "unsettled",
                        "settled",
                        "How many clusters wave " + name(wave) + " takes is settled when " + UNREAD);
            }
            if (wave == own) {
                break;
            }
            if (!wave.isClosed()) {
                return before(own, wave, campaign, c);
            }
        }
        return own.mayOpen()
                ? new ClosedGate(
                        GateLabel.WAVE,
                        "not begun",
                        "begun",
                        "Wave " + name(own) + " begins when its campaign runs.",
                        campaign.hasStarted(c.now()) ? null : campaign.spec().startAt())
                : approval(own, campaign, "Wave " + name(own) + " waits for the order ");
    }

    /** Nobody has approved of what an edit has changed. */
    static ClosedGate edited(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        String edition = CampaignContentHash.compute(campaign.status().acceptedCampaign());
        return new ClosedGate(
                GateLabel.WAVE,
                "edited",
                "edition " + edition + " approved",
                "Campaign " + campaign.name()
                        + " was edited, and people approve of its waves: nothing more starts until somebody"
                        + " approves edition " + edition + ", by an order " + campaign.name() + "/approve/<wave>.");
    }

    /** The fleet's policy requires an approval that nobody has given. */
    static ClosedGate required(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        return new ClosedGate(
                GateLabel.WAVE,
                "not approved",
                "approved",
                "Campaign " + campaign.name() + " "
                        + CampaignPolicyStartRules.approvalProblem(
                                c.state(), campaign, c.backlog().wave())
                        + ".");
    }

    private static ClosedGate before(WaveProgress own, WaveProgress wave, CampaignRollout campaign, StartCandidate c) {
        if (!wave.hasSucceeded()) {
            return ClosedGate.numbers(
                    GateLabel.WAVE,
                    wave.atTarget(),
                    ((long) wave.counted() * wave.wave().successPercent() + 99) / 100,
                    "Wave " + name(own) + " begins when " + wave.wave().successPercent() + "% of the "
                            + wave.counted() + " machines of wave " + name(wave) + " have succeeded; "
                            + wave.atTarget() + " have.");
        }
        if (wave.isSoaking(campaign.status(), c.now())) {
            return new ClosedGate(
                    GateLabel.WAVE,
                    c.now().toString(),
                    String.valueOf(wave.soakEndsAt(campaign.status())),
                    "Wave " + name(own) + " begins when wave " + name(wave) + " has soaked for "
                            + wave.wave().soak() + " after its last success, at " + wave.soakEndsAt(campaign.status())
                            + ".",
                    wave.soakEndsAt(campaign.status()));
        }
        if (c.state().isPartlyUnrestored(campaign, wave)) {
            return new ClosedGate(
                    GateLabel.WAVE,
                    "not every site can be read",
                    "every site of wave " + name(wave),
                    "Wave " + name(own) + " begins when " + UNREAD);
        }
        return approval(
                wave,
                campaign,
                "Wave " + name(own) + " begins when wave " + name(wave) + " has been approved of, by the order ");
    }

    private static ClosedGate approval(WaveProgress wave, CampaignRollout campaign, String says) {
        return new ClosedGate(
                GateLabel.WAVE,
                wave.isApproved() ? "approved" : "not approved",
                "approved",
                says + campaign.name() + "/approve/" + name(wave) + ".");
    }

    private static String name(WaveProgress wave) {
        return wave.wave().name();
    }
}
