package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignConstraints;
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
                        Level.ROLLOUT,
                        Gate.Hold.TAKES_BACK,
                        c -> !hasUnreadableState(c),
                        c -> RejectedInput.closed(
                                ((CampaignRollout) c.rollout()).name() + "/state", "flotilla.orders")),
                new Gate(
                        GateLabel.CAMPAIGN,
                        Level.ROLLOUT,
                        Gate.Hold.TAKES_BACK,
                        c -> closed(c) == null,
                        c -> campaign(c, String.valueOf(closed(c)))),
                new Gate(
                        GateLabel.CAMPAIGN,
                        Level.ROLLOUT,
                        Gate.Hold.TAKES_BACK,
                        c -> c.finishesControlPlane() || isTargetAllowed(c),
                        RolloutGates::target),
                new Gate(
                        GateLabel.CAMPAIGN,
                        Level.ROLLOUT,
                        Gate.Hold.NONE,
                        c -> c.finishesControlPlane() || unmet(c) == null,
                        RolloutGates::dependency),
                new Gate(
                        GateLabel.CAMPAIGN,
                        Level.ROLLOUT,
                        Gate.Hold.NONE,
                        c -> c.finishesControlPlane() || contender(c) == null,
                        RolloutGates::overlap),
                new Gate(
                        GateLabel.WAVE,
                        Level.ROLLOUT,
                        Gate.Hold.NO_RENEWAL,
                        c -> c.finishesControlPlane() || !isEditPending(c),
                        WaveWords::edited),
                new Gate(GateLabel.WAVE, Level.CLUSTER, Gate.Hold.NONE, RolloutGates::isWaveOpen, WaveWords::of),
                new Gate(
                        GateLabel.WAVE,
                        Level.ROLLOUT,
                        Gate.Hold.NO_RENEWAL,
                        c -> c.finishesControlPlane() || isStartAllowed(c),
                        WaveWords::required),
                new Gate(
                        GateLabel.CLAIMED,
                        Level.CLUSTER,
                        Gate.Hold.NONE,
                        c -> isOurs(c.holder(), c.rollout()) && hasRoom(c),
                        RolloutGates::claimed));
    }

    private static boolean hasUnreadableState(Candidate c) {
        return c.state().hasUnreadable()
                && c.rollout() instanceof CampaignRollout campaign
                && c.state().isUnreadable(new RowKey(Table.ORDERS, new OperatorOrderKey.SetCampaignState(campaign.name())));
    }

    /** Why a campaign starts nothing, or null. */
    private static @Nullable String closed(Candidate c) {
        if (!(c.rollout() instanceof CampaignRollout campaign)) {
            return null;
        }
        CampaignState state = campaign.status().state();
        if (state != CampaignState.RUNNING) {
            return state.label();
        }
        if (!campaign.started(c.now())) {
            return "not started";
        }
        return campaign.pastDeadline(c.now()) && !c.finishesControlPlane() ? "past its deadline" : null;
    }

    private static CampaignConstraints.@Nullable CampaignDependency unmet(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().unmet(campaign) : null;
    }

    private static @Nullable CampaignName contender(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().contender(campaign) : null;
    }

    private static Closed overlap(Candidate c) {
        CampaignName own = ((CampaignRollout) c.rollout()).name();
        CampaignName other = contender(c);
        return new Closed(
                GateLabel.CAMPAIGN,
                "overlaps campaign " + other,
                "no overlap, or its approval",
                "Campaign " + other + " came before and wants some of the machines elsewhere: campaign " + own
                        + " waits until it has done with them, or for the order " + new OperatorOrderKey.ApproveOverlap(own) + ".");
    }

    private static Closed dependency(Candidate c) {
        CampaignConstraints.CampaignDependency unmet = unmet(c);
        String what = unmet == null ? "" : unmet.successPercent() + "% of campaign " + unmet.campaign();
        return new Closed(
                GateLabel.CAMPAIGN,
                "less than " + what,
                what,
                "Campaign " + ((CampaignRollout) c.rollout()).name() + " starts when " + what + " has succeeded.");
    }

    private static Closed campaign(Candidate c, String have) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        String reason = campaign.status().pauseReason();
        String half = c.finishesControlPlane()
                ? " Its control plane in cluster " + c.cluster().key() + " is half done."
                : "";
        return new Closed(
                GateLabel.CAMPAIGN,
                have,
                "running",
                "Campaign " + campaign.name() + " is " + have + (reason == null ? "." : ": " + reason + ".") + half,
                opens(campaign, c));
    }

    /** When a campaign begins, if that is all that it waits for. */
    private static @Nullable Instant opens(CampaignRollout campaign, Candidate c) {
        return campaign.status().state() == CampaignState.RUNNING && !campaign.started(c.now())
                ? campaign.spec().startAt()
                : null;
    }

    private static boolean isEditPending(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign
                && campaign.status().approvals().editPending();
    }

    private static boolean isTargetAllowed(Candidate c) {
        return !(c.rollout() instanceof CampaignRollout campaign) || CampaignPolicy.allowsTarget(c.state(), campaign);
    }

    private static boolean isStartAllowed(Candidate c) {
        return !(c.rollout() instanceof CampaignRollout campaign)
                || CampaignPolicy.allowsStart(c.state(), campaign, c.share().wave());
    }

    private static Closed target(Candidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        return new Closed(
                GateLabel.CAMPAIGN,
                campaign.spec().target().text(),
                "a target that the policy allows",
                "Campaign " + campaign.name() + " " + CampaignPolicy.targetProblem(c.state(), campaign) + ".");
    }

    private static boolean isWaveOpen(Candidate c) {
        return !(c.rollout() instanceof CampaignRollout campaign)
                || c.finishesControlPlane()
                || campaign.waves().get(c.share().wave()).isUnderWay();
    }

    private static boolean isOurs(@Nullable Rollout holder, Rollout rollout) {
        return holder == null || holder == rollout;
    }

    private static boolean hasRoom(Candidate c) {
        return !c.machine().isFull()
                || c.machine().entry(c.driver()) != null
                || c.machine().entries().stream().anyMatch(entry -> c.state().rollout(entry.rolloutRef()) == null);
    }

    private static Closed claimed(Candidate c) {
        Rollout holder = c.holder();
        String name = isOurs(holder, c.rollout()) ? "full" : name(holder, c);
        return new Closed(
                GateLabel.CLAIMED,
                name,
                "this one's turn",
                isOurs(holder, c.rollout())
                        ? "Eight campaigns and intents have to do with this machine already."
                        : "The machine is " + name + "'s for now.");
    }

    private static String name(@Nullable Rollout rollout, Candidate c) {
        return rollout instanceof CampaignRollout campaign
                ? "campaign " + campaign.name()
                : rollout == null ? "nobody" : String.valueOf(rollout.driverOf(c.machine()));
    }
}
