package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gates of preparations. What forbids a start for another reason than the time, a cap on starts or the health of the cluster
 * forbids a preparation too, since a preparation runs as root on the node. They are evaluated at the instant at which the machine
 * may start.
 */
final class PreparationGates {
    /** The gates of starts that hold back preparations too. */
    private static final List<GateLabel> SHARED = List.of(
            GateLabel.NO_POLICY,
            GateLabel.REJECTED_INPUT,
            GateLabel.FREEZE,
            GateLabel.CLOCK_SKEW,
            GateLabel.SITE_SILENT,
            GateLabel.SITE_UNREACHABLE,
            GateLabel.MASS_REMOVAL,
            GateLabel.CAMPAIGN_NOT_RUNNING,
            GateLabel.CLAIMED_BY_OTHER,
            GateLabel.MACHINE_NOT_ELIGIBLE);

    private PreparationGates() {}

    /** The gate of starts: a preparation and an upgrade never run on a node at once. */
    static Gate ofStarts() {
        return new Gate(
                GateLabel.PREPARATION,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.NONE,
                c -> !c.machine().isPreparing(),
                c -> {
                    Instant deadline = deadline(c.machine().preparation());
                    return new ClosedGate(
                            GateLabel.PREPARATION,
                            "preparing",
                            "no preparation",
                            "The machine is being prepared, until " + deadline + " at the latest.",
                            deadline);
                });
    }

    private static @Nullable Instant deadline(@Nullable MachinePreparation preparation) {
        return preparation != null
                        && preparation.progress() instanceof MachinePreparation.PreparationProgress.Preparing preparing
                ? preparing.deadline()
                : null;
    }

    /** All gates of preparations, among them those of starts that hold them back too. */
    static List<Gate> all(List<Gate> ofStarts) {
        List<Gate> gates = new ArrayList<>(
                ofStarts.stream().filter(gate -> SHARED.contains(gate.label())).toList());
        gates.add(approval());
        gates.add(fleetCap());
        gates.add(siteCap());
        return gates;
    }

    /** An edit, or the policy, may require an approval before anything is done. */
    private static Gate approval() {
        return new Gate(
                GateLabel.WAVE,
                GateLevel.ROLLOUT,
                Gate.LeaseEffect.NONE,
                c -> c.rollout() instanceof CampaignRollout campaign
                        && !campaign.status().approvals().editPending()
                        && CampaignPolicyStartRules.allowsStart(
                                c.state(), campaign, c.backlog().wave()),
                c -> new ClosedGate(
                                GateLabel.WAVE,
                                "not approved",
                                "approved",
                                "Nothing of the wave is prepared before its campaign is approved.")
                        .forPerson());
    }

    private static Gate fleetCap() {
        return new Gate(
                GateLabel.PREFETCH_CAP,
                GateLevel.FLEET,
                Gate.LeaseEffect.NONE,
                c -> fleetLimit(c) == InFlightCapGates.NO_LIMIT || c.state().preparing() < fleetLimit(c),
                c -> closedCap("The fleet has", c.state().preparing(), fleetLimit(c)));
    }

    private static Gate siteCap() {
        return new Gate(
                GateLabel.PREFETCH_CAP,
                GateLevel.SITE,
                Gate.LeaseEffect.NONE,
                c -> c.cluster().site().preparing() < siteLimit(c),
                c -> closedCap(
                        "Site " + c.cluster().site().id() + " has",
                        c.cluster().site().preparing(),
                        siteLimit(c)));
    }

    private static ClosedGate closedCap(String subject, int preparing, int limit) {
        return preparing == Integer.MAX_VALUE
                ? new ClosedGate(
                        GateLabel.PREFETCH_CAP,
                        "unknown",
                        Integer.toString(limit),
                        "How many machines prepare in a site that cannot be reached is unknown, and the fleet's cap is "
                                + limit + ".")
                : ClosedGate.numbers(
                        GateLabel.PREFETCH_CAP,
                        preparing,
                        limit,
                        subject + " " + ClosedGate.count(preparing, "machine") + " that prepare; the cap is " + limit
                                + ".");
    }

    private static int fleetLimit(StartCandidate c) {
        UpgradePolicy policy = c.state().policy(FleetScope.FLEET);
        CountOrPercent cap = policy == null ? null : policy.prefetchCaps().maxPreparing();
        return cap == null ? InFlightCapGates.NO_LIMIT : cap.of(c.state().machines());
    }

    private static int siteLimit(StartCandidate c) {
        UpgradePolicy own = c.state().policy(c.cluster().site().id());
        UpgradePolicy fleet = c.state().policy(FleetScope.FLEET);
        CountOrPercent cap = own == null ? null : own.prefetchCaps().maxPreparing();
        if (cap == null) {
            cap = fleet == null ? null : fleet.prefetchCaps().maxPreparingPerSite();
        }
        return (cap == null ? PrefetchCaps.DEFAULT_PER_SITE : cap)
                .of(c.cluster().site().machines());
    }
}
