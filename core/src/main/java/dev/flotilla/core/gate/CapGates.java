package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many may be in flight at once. A percentage is of the machines that have an inventory row in what the cap is about
 * (for a campaign: of its members), rounded down, at least one.
 */
final class CapGates {
    static final int NO_LIMIT = Integer.MAX_VALUE;

    private CapGates() {}

    static List<Gate> all() {
        return List.of(
                cap(GateLabel.FLEET_CAP, Level.FLEET, c -> c.state().inFlight(), CapGates::fleet, "the fleet"),
                cap(GateLabel.SITE_CAP, Level.SITE, c -> c.cluster().site().inFlight(), CapGates::site, "the site"),
                cap(GateLabel.CAMPAIGN_CAP, Level.ROLLOUT, CapGates::ofCampaign, CapGates::campaign, "the campaign"),
                cap(
                        GateLabel.CLUSTER_CAP,
                        Level.CLUSTER,
                        c -> c.cluster().inFlight(),
                        CapGates::cluster,
                        "the cluster"),
                new Gate(
                        GateLabel.BUDGET,
                        Level.ROLLOUT,
                        Gate.Hold.NONE,
                        c -> c.finishesControlPlane() || budget(c) == NO_LIMIT || bears(c),
                        CapGates::overBudget));
    }

    /** Counts something about a candidate without allocating. */
    @FunctionalInterface
    interface Counter {
        int of(Candidate candidate);
    }

    private static Gate cap(GateLabel label, Level level, Counter have, Counter cap, String of) {
        return new Gate(
                label,
                level,
                Gate.Hold.NONE,
                c -> have.of(c) < cap.of(c),
                c -> Closed.numbers(
                        label,
                        have.of(c),
                        cap.of(c),
                        have.of(c) + " machines of " + of + " are in flight, and " + cap.of(c) + " may be."));
    }

    private static int fleet(Candidate c) {
        Policy policy = c.state().policy(Fleet.FLEET);
        return limit(policy == null ? null : policy.inFlight(), c.state().machines());
    }

    private static int site(Candidate c) {
        Policy own = c.state().policy(c.cluster().site().id());
        Policy fleet = c.state().policy(Fleet.FLEET);
        Limit limit =
                own != null && own.inFlight() != null ? own.inFlight() : fleet == null ? null : fleet.siteInFlight();
        return limit(limit, c.cluster().site().machines());
    }

    private static int ofCampaign(Candidate c) {
        return c.rollout().inFlight()
                + (c.rollout() instanceof CampaignRollout campaign ? c.state().unreadInFlight(campaign) : 0);
    }

    private static boolean bears(Candidate c) {
        return (long) c.rollout().budgetUsed() + unreadBudgetUsed(c) + c.need() <= budget(c);
    }

    /** What was used of it in sites that cannot be read. */
    private static int unreadBudgetUsed(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().unreadBudgetUsed(campaign) : 0;
    }

    private static int campaign(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign
                ? limit(campaign.spec().inFlight(), campaign.total())
                : NO_LIMIT;
    }

    private static int cluster(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign
                ? limit(campaign.spec().clusterInFlight(), c.cluster().machines())
                : NO_LIMIT;
    }

    private static int limit(@Nullable Limit limit, int machines) {
        return limit == null ? NO_LIMIT : limit.of(machines);
    }

    private static int budget(Candidate c) {
        Integer budget = c.rollout() instanceof CampaignRollout campaign
                ? campaign.spec().failureBudget()
                : null;
        return budget == null ? NO_LIMIT : budget;
    }

    private static Closed overBudget(Candidate c) {
        int elsewhere = unreadBudgetUsed(c);
        int used = c.rollout().budgetUsed() + elsewhere;
        if (elsewhere == FleetState.UNKNOWN_USE) {
            return new Closed(
                    GateLabel.BUDGET,
                    "unknown",
                    String.valueOf(budget(c)),
                    "The topics of a site of this campaign cannot be read: how many of its machines failed is not known.");
        }
        return Closed.numbers(
                GateLabel.BUDGET,
                (long) used + c.need(),
                budget(c),
                used + " machines have failed, may yet fail or are kept for a control plane"
                        + (elsewhere == 0 ? "" : ", " + elsewhere + " of them in sites that cannot be read")
                        + ", and this start adds " + c.need() + "; the failure budget is " + budget(c) + ".");
    }
}
