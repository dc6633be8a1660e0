package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.schemas.edition.CampaignContentHash;

/** Why a wave has not begun, in words and numbers. */
final class WaveWords {
    private WaveWords() {}

    private static final String UNREAD =
            "the orchestrator can read every site that may have machines in it, or an order writes the site off.";

    static Closed of(Candidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        WaveCount own = campaign.waves().get(c.share().wave());
        for (WaveCount wave : campaign.waves()) {
            if (wave.isUnbound()) {
                return new Closed(
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
                ? new Closed(
                        GateLabel.WAVE,
                        "not begun",
                        "begun",
                        "Wave " + name(own) + " begins when its campaign runs.",
                        campaign.started(c.now()) ? null : campaign.spec().startAt())
                : approval(own, campaign, "Wave " + name(own) + " waits for the order ");
    }

    /** Nobody has approved of what an edit has changed. */
    static Closed edited(Candidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        String edition = CampaignContentHash.compute(campaign.status().acceptedCampaign());
        return new Closed(
                GateLabel.WAVE,
                "edited",
                "edition " + edition + " approved",
                "Campaign " + campaign.name()
                        + " was edited, and people approve of its waves: nothing more starts until somebody"
                        + " approves edition " + edition + ", by an order " + campaign.name() + "/approve/<wave>.");
    }

    /** The fleet's policy requires an approval that nobody has given. */
    static Closed required(Candidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        return new Closed(
                GateLabel.WAVE,
                "not approved",
                "approved",
                "Campaign " + campaign.name() + " "
                        + CampaignPolicy.approvalProblem(
                                c.state(), campaign, c.share().wave())
                        + ".");
    }

    private static Closed before(WaveCount own, WaveCount wave, CampaignRollout campaign, Candidate c) {
        if (!wave.hasSucceeded()) {
            return Closed.numbers(
                    GateLabel.WAVE,
                    wave.atTarget(),
                    ((long) wave.counted() * wave.wave().successPercent() + 99) / 100,
                    "Wave " + name(own) + " begins when " + wave.wave().successPercent() + "% of the "
                            + wave.counted() + " machines of wave " + name(wave) + " have succeeded; "
                            + wave.atTarget() + " have.");
        }
        if (wave.isSoaking(campaign.status(), c.now())) {
            return new Closed(
                    GateLabel.WAVE,
                    c.now().toString(),
                    String.valueOf(wave.soaked(campaign.status())),
                    "Wave " + name(own) + " begins when wave " + name(wave) + " has soaked for "
                            + wave.wave().soak() + " after its last success, at " + wave.soaked(campaign.status())
                            + ".",
                    wave.soaked(campaign.status()));
        }
        if (c.state().isPartlyUnread(campaign, wave)) {
            return new Closed(
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

    private static Closed approval(WaveCount wave, CampaignRollout campaign, String says) {
        return new Closed(
                GateLabel.WAVE,
                wave.isApproved() ? "approved" : "not approved",
                "approved",
                says + campaign.name() + "/approve/" + name(wave) + ".");
    }

    private static String name(WaveCount wave) {
        return wave.wave().name();
    }
}
