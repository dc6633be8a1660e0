package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.RolloutEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gates of a campaign, of its waves, and of a machine for one rollout. Of these only {@code claimed} applies to
 * intents.
 */
final class RolloutGates {
    private RolloutGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.REVOKE,
                        c -> !hasUnreadableState(c),
                        c -> GateMessages.unreadable(
                                ((CampaignRollout) c.rollout()).name() + "/state", "flotilla.orders")),
                new Gate(
                        GateLabel.CAMPAIGN_NOT_RUNNING,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.REVOKE,
                        c -> notRunningReason(c) == null,
                        c -> campaignNotRunning(c, String.valueOf(notRunningReason(c)))),
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
                        c -> c.finishesControlPlane() || unmetDependency(c) == null,
                        RolloutGates::dependency),
                new Gate(
                        GateLabel.CAMPAIGN_NOT_RUNNING,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.NONE,
                        c -> c.finishesControlPlane() || overlappingCampaign(c) == null,
                        RolloutGates::overlap),
                new Gate(
                        GateLabel.WAVE,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> c.finishesControlPlane() || !isEditPending(c),
                        GateMessages::editNotApproved),
                new Gate(
                        GateLabel.WAVE,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        RolloutGates::isWaveOpen,
                        GateMessages::waveNotOpen),
                new Gate(
                        GateLabel.WAVE,
                        GateLevel.ROLLOUT,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> c.finishesControlPlane() || isStartAllowed(c),
                        GateMessages::notApproved),
                new Gate(
                        GateLabel.CLAIMED_BY_OTHER,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> isFreeFor(c.claimingRollout(), c.rollout()) && hasRoom(c),
                        RolloutGates::claimed));
    }

    private static boolean hasUnreadableState(StartCandidate c) {
        return c.state().hasUnreadable()
                && c.rollout() instanceof CampaignRollout campaign
                && c.state()
                        .isUnreadable(new RowKey(Table.ORDERS, new OperatorOrderKey.SetCampaignState(campaign.name())));
    }

    /** Why a campaign starts nothing; null if it can. */
    private static @Nullable String notRunningReason(StartCandidate c) {
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

    private static @Nullable CampaignDependency unmetDependency(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().unmetDependency(campaign) : null;
    }

    private static @Nullable CampaignName overlappingCampaign(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().overlappingCampaign(campaign) : null;
    }

    private static ClosedGate overlap(StartCandidate c) {
        CampaignName own = ((CampaignRollout) c.rollout()).name();
        CampaignName other = overlappingCampaign(c);
        return new ClosedGate(
                GateLabel.CAMPAIGN_NOT_RUNNING,
                "overlaps campaign " + other,
                "no overlap, or its approval",
                "Campaign " + own + " overlaps with campaign " + other + ", which has another target: it waits until "
                        + other + " has finished the shared machines, or run flotilla campaign approve " + own
                        + " --overlap --reason TEXT.");
    }

    private static ClosedGate dependency(StartCandidate c) {
        CampaignDependency unmet = unmetDependency(c);
        String what = unmet == null ? "" : unmet.successPercent() + "% of campaign " + unmet.campaign();
        return new ClosedGate(
                GateLabel.CAMPAIGN_NOT_RUNNING,
                "less than " + what,
                what,
                "Campaign " + ((CampaignRollout) c.rollout()).name() + " starts when " + what + " has succeeded.");
    }

    private static ClosedGate campaignNotRunning(StartCandidate c, String state) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        String reason = campaign.status().pauseReason();
        String halfUpgraded = c.finishesControlPlane()
                ? " The control plane of cluster " + c.cluster().key() + " is half upgraded."
                : "";
        Instant startsAt = startsAt(campaign, c);
        return new ClosedGate(
                GateLabel.CAMPAIGN_NOT_RUNNING,
                state,
                "running",
                "Campaign " + campaign.name() + " is " + state + (reason == null ? "." : ": " + reason + ".")
                        + halfUpgraded,
                startsAt,
                startsAt == null);
    }

    /** When the campaign starts, if its start time is all that it waits for; otherwise null. */
    private static @Nullable Instant startsAt(CampaignRollout campaign, StartCandidate c) {
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
                        campaign.spec().target().option().text(),
                        "a target that the policy allows",
                        "Campaign " + campaign.name() + " "
                                + CampaignPolicyStartRules.targetProblem(c.state(), campaign) + ".")
                .forPerson();
    }

    private static boolean isWaveOpen(StartCandidate c) {
        return !(c.rollout() instanceof CampaignRollout campaign)
                || c.finishesControlPlane()
                || campaign.waves().get(c.backlog().wave()).isUnderWay();
    }

    private static boolean isFreeFor(@Nullable Rollout holder, Rollout rollout) {
        return holder == null || holder == rollout;
    }

    private static boolean hasRoom(StartCandidate c) {
        return !c.machine().hasMaxEntries()
                || c.machine().entry(c.rolloutRef()) != null
                || c.machine().entries().stream().anyMatch(entry -> c.state().rollout(entry.rolloutRef()) == null);
    }

    private static ClosedGate claimed(StartCandidate c) {
        Rollout holder = c.claimingRollout();
        String name = isFreeFor(holder, c.rollout()) ? "full" : describeRollout(holder, c);
        return new ClosedGate(
                GateLabel.CLAIMED_BY_OTHER,
                name,
                "not claimed by another rollout",
                isFreeFor(holder, c.rollout())
                        ? "The machine already has the maximum of " + RolloutEntry.MAX_PER_MACHINE
                                + " campaigns and intents."
                        : "The machine is claimed by " + name + ".");
    }

    private static String describeRollout(@Nullable Rollout rollout, StartCandidate c) {
        return rollout instanceof CampaignRollout campaign
                ? "campaign " + campaign.name()
                : rollout == null ? "no rollout" : String.valueOf(rollout.rolloutRefOf(c.machine()));
    }
}
