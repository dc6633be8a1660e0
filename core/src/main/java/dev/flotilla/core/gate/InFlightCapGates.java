package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.KubernetesVersion;
import dev.flotilla.core.fleet.SiteIntentsRollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.fleet.TopologyDomain;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How many may be in flight at once. A percentage is of the machines that have an inventory row in what the cap is about
 * (for a campaign: of its members), rounded down, at least one.
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
                        InFlightCapGates::fleet,
                        c -> "of the fleet"),
                cap(
                        GateLabel.SITE_CAP,
                        GateLevel.SITE,
                        c -> c.cluster().site().inFlight(),
                        InFlightCapGates::site,
                        c -> "of the site"),
                domain(),
                cap(
                        GateLabel.CAMPAIGN_CAP,
                        GateLevel.ROLLOUT,
                        InFlightCapGates::ofCampaign,
                        c -> limit(
                                c.rollout().rules().maxInFlight(), c.rollout().totalMachines()),
                        c -> c.rollout() instanceof CampaignRollout ? "of the campaign" : "that annotations ask for"),
                teacher(),
                annotationTeacher(),
                cap(
                        GateLabel.CLUSTER_CAP,
                        GateLevel.CLUSTER,
                        c -> c.cluster().inFlight(),
                        c -> limit(
                                c.rollout().rules().maxInFlightPerCluster(),
                                c.cluster().machines()),
                        c -> "of the cluster"),
                FailureBudgetGate.gate(),
                FailureCohortGate.gate());
    }

    /**
     * Of a target whose track names no version one machine is upgraded alone, and shows it, also where the campaign expects one; then one in each other site, since no
     * site's worker speaks for another.
     */
    private static Gate teacher() {
        return new Gate(
                GateLabel.CAMPAIGN_CAP,
                GateLevel.ROLLOUT,
                Gate.LeaseEffect.NONE,
                c -> !(c.rollout() instanceof CampaignRollout campaign)
                        || KubernetesVersion.isShown(
                                campaign.status(), c.machine().site())
                        || learning(c, campaign) == 0,
                c -> ClosedGate.numbers(
                        GateLabel.CAMPAIGN_CAP,
                        learning(c, (CampaignRollout) c.rollout()),
                        1,
                        (c.targetVersion() == KubernetesVersion.UNKNOWN
                                        ? "Which version " + c.target() + " is nobody has said"
                                        : "No machine has shown yet that " + c.target() + " is "
                                                + KubernetesVersion.text(c.targetVersion()))
                                + ": one machine alone teaches it, and "
                                + learning(c, (CampaignRollout) c.rollout()) + " are in flight."));
    }

    /** The same for annotations, of which each may have a target of its own: one machine of a site to each such target. */
    private static Gate annotationTeacher() {
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
                                + " is not known: one machine of a site goes there at a time, unless"
                                + " the policy says intents.allowUnknownVersion."));
    }

    /** Those that have to end before another may teach. */
    private static int learning(StartCandidate c, CampaignRollout campaign) {
        return campaign.status().resolvedTargets().isEmpty()
                ? ofCampaign(c)
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
                                "no domain of " + c.machine().key() + " is full");
                    }
                    return ClosedGate.numbers(
                            GateLabel.DOMAIN_CAP,
                            domain.inFlight() + domain.unlabelledInFlight(),
                            domain.maxInFlight(),
                            domain.inFlight() + domain.unlabelledInFlight() + " machines of the campaign with "
                                    + domain.label()
                                    + " " + domain.value() + " are in flight"
                                    + (domain.unlabelledInFlight() == 0
                                            ? ""
                                            : ", " + domain.unlabelledInFlight()
                                                    + " of them perhaps: their labels are not known")
                                    + ", and " + domain.maxInFlight() + " may be.");
                });
    }

    /** Counts something about a candidate without allocating. */
    @FunctionalInterface
    interface InFlightCounter {
        int of(StartCandidate candidate);
    }

    private static Gate cap(
            GateLabel label,
            GateLevel level,
            InFlightCounter have,
            InFlightCounter cap,
            Function<StartCandidate, String> which) {
        return new Gate(
                label,
                level,
                Gate.LeaseEffect.NONE,
                c -> have.of(c) < cap.of(c),
                c -> ClosedGate.numbers(
                        label,
                        have.of(c),
                        cap.of(c),
                        have.of(c) + " machines " + which.apply(c) + " are in flight, and " + cap.of(c) + " may be."));
    }

    private static int fleet(StartCandidate c) {
        UpgradePolicy policy = c.state().policy(FleetScope.FLEET);
        return limit(policy == null ? null : policy.maxInFlight(), c.state().machines());
    }

    private static int site(StartCandidate c) {
        UpgradePolicy own = c.state().policy(c.cluster().site().id());
        UpgradePolicy fleet = c.state().policy(FleetScope.FLEET);
        CountOrPercent limit = own != null && own.maxInFlight() != null
                ? own.maxInFlight()
                : fleet == null ? null : fleet.maxInFlightPerSite();
        return limit(limit, c.cluster().site().machines());
    }

    private static int ofCampaign(StartCandidate c) {
        return c.rollout().limitedInFlight()
                + (c.rollout() instanceof CampaignRollout campaign ? c.state().unrestoredInFlight(campaign) : 0);
    }

    private static int limit(@Nullable CountOrPercent limit, int machines) {
        return limit == null ? NO_LIMIT : limit.of(machines);
    }
}
