package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.contenthash.CampaignContentHash;

/** The explanation why a wave has not started. */
final class WaveGateExplanation {
    private WaveGateExplanation() {}

    private static final String WHEN_SITES_READABLE =
            "every site that may have machines in it can be read or is written off.";

    static ClosedGate explain(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        WaveProgress own = campaign.waves().get(c.backlog().wave());
        for (WaveProgress wave : campaign.waves()) {
            if (wave.isShareUnset()) {
                return new ClosedGate(
                        GateLabel.WAVE,
                        "size not fixed",
                        "size fixed",
                        "The size of wave " + name(wave) + " is fixed when " + WHEN_SITES_READABLE);
            }
            if (wave == own) {
                break;
            }
            if (!wave.isClosed()) {
                return waitsForWave(own, wave, campaign, c);
            }
        }
        return own.mayOpen()
                ? new ClosedGate(
                        GateLabel.WAVE,
                        "not started",
                        "started",
                        "Wave " + name(own) + " starts when its campaign runs.",
                        campaign.hasStarted(c.now()) ? null : campaign.spec().startAt())
                : approval(own, campaign, "Wave " + name(own) + " starts when it is approved: run ");
    }

    /** An edit of the campaign is not approved yet. */
    static ClosedGate edited(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        String contentHash = CampaignContentHash.compute(campaign.status().acceptedCampaign());
        return new ClosedGate(
                GateLabel.WAVE,
                "edited",
                "content hash " + contentHash + " approved",
                "Campaign " + campaign.name()
                        + " was edited and needs an approval: no more machines start until content hash "
                        + contentHash + " is approved: run flotilla campaign approve " + campaign.name() + ".");
    }

    /** The fleet's policy requires an approval that is missing. */
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

    private static ClosedGate waitsForWave(
            WaveProgress own, WaveProgress wave, CampaignRollout campaign, StartCandidate c) {
        if (!wave.hasSucceeded()) {
            return ClosedGate.numbers(
                    GateLabel.WAVE,
                    wave.atTarget(),
                    ((long) wave.counted() * wave.wave().successPercent() + 99) / 100,
                    "Wave " + name(own) + " starts when " + wave.wave().successPercent() + "% of the "
                            + wave.counted() + " machines of wave " + name(wave) + " have succeeded; "
                            + wave.atTarget() + " have so far.");
        }
        if (wave.isSoaking(campaign.status(), c.now())) {
            return new ClosedGate(
                    GateLabel.WAVE,
                    c.now().toString(),
                    String.valueOf(wave.soakEndsAt(campaign.status())),
                    "Wave " + name(own) + " starts when wave " + name(wave) + " has soaked for "
                            + wave.wave().soak() + " after its last success, at " + wave.soakEndsAt(campaign.status())
                            + ".",
                    wave.soakEndsAt(campaign.status()));
        }
        if (c.state().isPartlyUnrestored(campaign, wave)) {
            return new ClosedGate(
                    GateLabel.WAVE,
                    "not every site can be read",
                    "every site of wave " + name(wave),
                    "Wave " + name(own) + " starts when " + WHEN_SITES_READABLE);
        }
        return approval(wave, campaign, "Wave " + name(own) + " starts when wave " + name(wave) + " is approved: run ");
    }

    private static ClosedGate approval(WaveProgress wave, CampaignRollout campaign, String prefix) {
        return new ClosedGate(
                GateLabel.WAVE,
                wave.isApproved() ? "approved" : "not approved",
                "approved",
                prefix + approveCommand(campaign, wave) + ".");
    }

    /** The command that approves a wave. */
    static String approveCommand(CampaignRollout campaign, WaveProgress wave) {
        return "flotilla campaign approve " + campaign.name() + " " + name(wave);
    }

    private static String name(WaveProgress wave) {
        return wave.wave().name();
    }
}
