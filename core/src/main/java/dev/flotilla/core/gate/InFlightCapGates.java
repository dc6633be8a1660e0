package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.limits.TopologyDomain;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The caps on machines in flight. A percentage refers to the machines with an inventory row in the scope of the cap
 * (for a campaign: to its members), is rounded down, and is at least one.
 */
final class InFlightCapGates {
    static final int NO_LIMIT = Integer.MAX_VALUE;

    private InFlightCapGates() {}

    static List<Gate> all() {
        return List.of(
                cap(
                        GateLabel.FLEET_CAP,
                        GateLevel.FLEET,
                        c -> c.state().inFlight(),
                        InFlightCapGates::fleetCap,
                        c -> "The fleet has"),
                cap(
                        GateLabel.SITE_CAP,
                        GateLevel.SITE,
                        c -> c.cluster().site().inFlight(),
                        InFlightCapGates::siteCap,
                        c -> "Site " + c.cluster().site().id() + " has"),
                domain(),
                cap(
                        GateLabel.CAMPAIGN_CAP,
                        GateLevel.ROLLOUT,
                        InFlightCapGates::campaignInFlight,
                        c -> limit(
                                c.rollout().rules().maxInFlight(), c.rollout().totalMachines()),
                        c -> c.rollout() instanceof CampaignRollout campaign
                                ? "Campaign " + campaign.name() + " has"
                                : "The intents of site " + c.cluster().site().id() + " have"),
                versionProbe(),
                intentVersionProbe(),
                cap(
                        GateLabel.CLUSTER_CAP,
                        GateLevel.CLUSTER,
                        c -> c.cluster().inFlight(),
                        c -> limit(
                                c.rollout().rules().maxInFlightPerCluster(),
                                c.cluster().machines()),
                        c -> "Cluster " + c.cluster().key() + " has"),
                FailureBudgetGate.gate(),
                FailureCohortGate.gate());
    }

    /**
     * Upgrades one machine alone if the target's version is not known from its track, even if the campaign expects a
     * version: that machine shows the version. Then one machine is upgraded in each other site, because a site's worker
     * cannot vouch for another site.
     */
    private static Gate versionProbe() {
        return new Gate(
                GateLabel.CAMPAIGN_CAP,
                GateLevel.ROLLOUT,
                Gate.LeaseEffect.NONE,
                c -> !(c.rollout() instanceof CampaignRollout campaign)
                        || KubernetesVersion.isShown(
                                campaign.status(), c.machine().site())
                        || probesInFlight(c, campaign) == 0,
                c -> ClosedGate.numbers(
                        GateLabel.CAMPAIGN_CAP,
                        probesInFlight(c, (CampaignRollout) c.rollout()),
                        1,
                        (c.targetVersion() == KubernetesVersion.UNKNOWN
                                        ? "The version of " + c.target() + " is unknown"
                                        : "No machine has shown yet that " + c.target() + " is version "
                                                + KubernetesVersion.text(c.targetVersion()))
                                + ": one machine is upgraded first to show it (in flight: "
                                + probesInFlight(c, (CampaignRollout) c.rollout()) + ")."));
    }

    /**
     * The same for intents, which can have different targets: one machine of a site at a time for each target of
     * unknown version.
     */
    private static Gate intentVersionProbe() {
        return new Gate(
                GateLabel.CAMPAIGN_CAP,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.NONE,
                c -> !(c.rollout() instanceof SiteIntentsRollout annotations)
                        || annotations.rules().versionExemptions().allowUnknownVersion()
                        || c.targetVersion() != KubernetesVersion.UNKNOWN
                        || annotations.inFlightTo(c.target()) == 0,
                c -> ClosedGate.numbers(
                        GateLabel.CAMPAIGN_CAP,
                        ((SiteIntentsRollout) c.rollout()).inFlightTo(c.target()),
                        1,
                        "The version of " + c.target()
                                + " is unknown: one machine of a site is upgraded to it at a time, unless the policy"
                                + " sets intents.allowUnknownVersion."));
    }

    /** The machines in flight that must end before another may reveal the target's version. */
    private static int probesInFlight(StartCandidate c, CampaignRollout campaign) {
        return campaign.status().resolvedTargets().isEmpty()
                ? campaignInFlight(c)
                : campaign.inFlightIn(c.cluster().site().id());
    }

    private static Gate domain() {
        return new Gate(
                GateLabel.DOMAIN_CAP,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.NONE,
                c -> c.rollout().fullDomain(c.machine()) == null,
                c -> {
                    TopologyDomain domain = c.rollout().fullDomain(c.machine());
                    if (domain == null) {
                        throw new IllegalStateException(
                                "machine " + c.machine().key() + " is in no full topology domain");
                    }
                    return ClosedGate.numbers(
                            GateLabel.DOMAIN_CAP,
                            domain.inFlight() + domain.unlabelledInFlight(),
                            domain.maxInFlight(),
                            "The campaign has "
                                    + ClosedGate.count(domain.inFlight() + domain.unlabelledInFlight(), "machine")
                                    + " with " + domain.label() + " " + domain.value() + " in flight"
                                    + (domain.unlabelledInFlight() == 0
                                            ? ""
                                            : ", " + domain.unlabelledInFlight() + " of them with unknown labels")
                                    + "; the cap is " + domain.maxInFlight() + ".");
                });
    }

    /** Counts machines for a candidate without allocating. */
    @FunctionalInterface
    interface InFlightCounter {
        int of(StartCandidate candidate);
    }

    private static Gate cap(
            GateLabel label,
            GateLevel level,
            InFlightCounter inFlight,
            InFlightCounter cap,
            Function<StartCandidate, String> subject) {
        return new Gate(
                label,
                level,
                Gate.LeaseEffect.NONE,
                c -> inFlight.of(c) < cap.of(c),
                c -> ClosedGate.numbers(
                        label,
                        inFlight.of(c),
                        cap.of(c),
                        subject.apply(c) + " " + ClosedGate.count(inFlight.of(c), "machine") + " in flight; the cap is "
                                + cap.of(c) + "."));
    }

    static int fleetCap(StartCandidate c) {
        UpgradePolicy policy = c.state().policy(FleetScope.FLEET);
        return limit(policy == null ? null : policy.maxInFlight(), c.state().machines());
    }

    static int siteCap(StartCandidate c) {
        UpgradePolicy sitePolicy = c.state().policy(c.cluster().site().id());
        UpgradePolicy fleet = c.state().policy(FleetScope.FLEET);
        CountOrPercent limit = sitePolicy != null && sitePolicy.maxInFlight() != null
                ? sitePolicy.maxInFlight()
                : fleet == null ? null : fleet.maxInFlightPerSite();
        return limit(limit, c.cluster().site().machines());
    }

    static int campaignInFlight(StartCandidate c) {
        return c.rollout().limitedInFlight()
                + (c.rollout() instanceof CampaignRollout campaign ? c.state().unrestoredInFlight(campaign) : 0);
    }

    static int limit(@Nullable CountOrPercent limit, int machines) {
        return limit == null ? NO_LIMIT : limit.of(machines);
    }
}
