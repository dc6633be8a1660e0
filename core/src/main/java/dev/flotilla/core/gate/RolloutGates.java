package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What closes a campaign, a wave of it, or a machine to it. Intents have no such gates but {@code claimed}. */
final class RolloutGates {
    private RolloutGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.REVOKE,
                        c -> !hasUnreadableState(c),
                        c -> RejectedInputExplanation.closed(
                                ((CampaignRollout) c.rollout()).name() + "/state", "flotilla.orders")),
                new Gate(
                        GateLabel.CAMPAIGN_NOT_RUNNING,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.REVOKE,
                        c -> closed(c) == null,
                        c -> campaign(c, String.valueOf(closed(c)))),
                new Gate(
                        GateLabel.CAMPAIGN_NOT_RUNNING,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.REVOKE,
                        c -> c.finishesControlPlane() || isTargetAllowed(c),
                        RolloutGates::target),
                new Gate(
                        GateLabel.CAMPAIGN_NOT_RUNNING,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.NONE,
                        c -> c.finishesControlPlane() || unmet(c) == null,
                        RolloutGates::dependency),
                new Gate(
                        GateLabel.CAMPAIGN_NOT_RUNNING,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.NONE,
                        c -> c.finishesControlPlane() || contender(c) == null,
                        RolloutGates::overlap),
                new Gate(
                        GateLabel.WAVE,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> c.finishesControlPlane() || !isEditPending(c),
                        WaveGateExplanation::edited),
                new Gate(
                        GateLabel.WAVE,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        RolloutGates::isWaveOpen,
                        WaveGateExplanation::explain),
                new Gate(
                        GateLabel.WAVE,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> c.finishesControlPlane() || isStartAllowed(c),
                        WaveGateExplanation::required),
                new Gate(
                        GateLabel.CLAIMED_BY_OTHER,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> isOurs(c.claimingRollout(), c.rollout()) && hasRoom(c),
                        RolloutGates::claimed));
    }

    private static boolean hasUnreadableState(StartCandidate c) {
        return c.state().hasUnreadable()
                && c.rollout() instanceof CampaignRollout campaign
                && c.state()
                        .isUnreadable(new RowKey(Table.ORDERS, new OperatorOrderKey.SetCampaignState(campaign.name())));
    }

    /** Why a campaign starts nothing, or null. */
    private static @Nullable String closed(StartCandidate c) {
        if (!(c.rollout() instanceof CampaignRollout campaign)) {
            return null;
        }
        CampaignState state = campaign.status().state();
        if (state != CampaignState.RUNNING) {
            return state.label();
        }
        if (!campaign.hasStarted(c.now())) {
            return "not started";
        }
        return campaign.pastDeadline(c.now()) && !c.finishesControlPlane() ? "past its deadline" : null;
    }

    private static CampaignConstraints.@Nullable CampaignDependency unmet(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().unmetDependency(campaign) : null;
    }

    private static @Nullable CampaignName contender(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().overlappingCampaign(campaign) : null;
    }

    private static ClosedGate overlap(StartCandidate c) {
        CampaignName own = ((CampaignRollout) c.rollout()).name();
        CampaignName other = contender(c);
        return new ClosedGate(
                GateLabel.CAMPAIGN_NOT_RUNNING,
                "overlaps campaign " + other,
                "no overlap, or its approval",
                "Campaign " + other + " came before and wants some of the machines elsewhere: campaign " + own
                        + " waits until it has done with them, or for the order "
                        + new OperatorOrderKey.ApproveOverlap(own) + ".");
    }

    private static ClosedGate dependency(StartCandidate c) {
        CampaignConstraints.CampaignDependency unmet = unmet(c);
        String what = unmet == null ? "" : unmet.successPercent() + "% of campaign " + unmet.campaign();
        return new ClosedGate(
                GateLabel.CAMPAIGN_NOT_RUNNING,
                "less than " + what,
                what,
                "Campaign " + ((CampaignRollout) c.rollout()).name() + " starts when " + what + " has succeeded.");
    }

    private static ClosedGate campaign(StartCandidate c, String have) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        String reason = campaign.status().pauseReason();
        String half = c.finishesControlPlane()
                ? " Its control plane in cluster " + c.cluster().key() + " is half done."
                : "";
        return new ClosedGate(
                GateLabel.CAMPAIGN_NOT_RUNNING,
                have,
                "running",
                "Campaign " + campaign.name() + " is " + have + (reason == null ? "." : ": " + reason + ".") + half,
                opens(campaign, c));
    }

    /** When a campaign begins, if that is all that it waits for. */
    private static @Nullable Instant opens(CampaignRollout campaign, StartCandidate c) {
        return campaign.status().state() == CampaignState.RUNNING && !campaign.hasStarted(c.now())
                ? campaign.spec().startAt()
                : null;
    }

    private static boolean isEditPending(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign
                && campaign.status().approvals().editPending();
    }

    private static boolean isTargetAllowed(StartCandidate c) {
        return !(c.rollout() instanceof CampaignRollout campaign)
                || CampaignPolicyStartRules.allowsTarget(c.state(), campaign);
    }

    private static boolean isStartAllowed(StartCandidate c) {
        return !(c.rollout() instanceof CampaignRollout campaign)
                || CampaignPolicyStartRules.allowsStart(
                        c.state(), campaign, c.backlog().wave());
    }

    private static ClosedGate target(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        return new ClosedGate(
                GateLabel.CAMPAIGN_NOT_RUNNING,
                campaign.spec().target().text(),
                "a target that the policy allows",
                "Campaign " + campaign.name() + " " + CampaignPolicyStartRules.targetProblem(c.state(), campaign)
                        + ".");
    }

    private static boolean isWaveOpen(StartCandidate c) {
        return !(c.rollout() instanceof CampaignRollout campaign)
                || c.finishesControlPlane()
                || campaign.waves().get(c.backlog().wave()).isUnderWay();
    }

    private static boolean isOurs(@Nullable Rollout holder, Rollout rollout) {
        return holder == null || holder == rollout;
    }

    private static boolean hasRoom(StartCandidate c) {
        return !c.machine().hasMaxEntries()
                || c.machine().entry(c.rolloutRef()) != null
                || c.machine().entries().stream().anyMatch(entry -> c.state().rollout(entry.rolloutRef()) == null);
    }

    private static ClosedGate claimed(StartCandidate c) {
        Rollout holder = c.claimingRollout();
        String name = isOurs(holder, c.rollout()) ? "full" : name(holder, c);
        return new ClosedGate(
                GateLabel.CLAIMED_BY_OTHER,
                name,
                "this one's turn",
                isOurs(holder, c.rollout())
                        ? "Eight campaigns and intents have to do with this machine already."
                        : "The machine is " + name + "'s for now.");
    }

    private static String name(@Nullable Rollout rollout, StartCandidate c) {
        return rollout instanceof CampaignRollout campaign
                ? "campaign " + campaign.name()
                : rollout == null ? "nobody" : String.valueOf(rollout.rolloutRefOf(c.machine()));
    }
}
