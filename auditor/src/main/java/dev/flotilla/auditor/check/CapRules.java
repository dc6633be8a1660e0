package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignSpec;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.CountOrPercent;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradePolicy;
import org.jspecify.annotations.Nullable;

/** Invariant 1: caps, on the rows before the start. */
final class CapRules {
    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    CapRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    void check(StartDecision startDecision) {
        MachineRow machine = startDecision.machine();
        UpgradePolicy policy = fleetTables.policy("fleet");
        auditFindings.require(policy != null, AuditInvariant.GATES, machine.id() + " started without a fleet policy");
        if (policy != null) {
            checkCap(
                    startDecision,
                    "the fleet",
                    fleetTables.inFlight().countInFleet(),
                    policy.inFlight(),
                    fleetTables.machines().size());
            UpgradePolicy own = fleetTables.policy(machine.site());
            CountOrPercent site = own != null && own.inFlight() != null ? own.inFlight() : policy.siteInFlight();
            checkCap(
                    startDecision,
                    "site " + machine.site(),
                    fleetTables.inFlight().countInSite(machine.site()),
                    site,
                    fleetTables.machinesOfSite(machine.site()));
        }
        CampaignStatus campaign = startDecision.campaign();
        CampaignMachineIndex index = campaign == null ? null : fleetTables.campaignMachines(campaign);
        if (campaign != null && index != null) {
            checkCap(
                    startDecision,
                    "campaign " + campaign.name(),
                    fleetTables
                            .inFlight()
                            .countInRollout(startDecision.attempt().rollout()),
                    campaign.spec().inFlight(),
                    index.selected().size());
            checkCluster(startDecision, campaign.spec().clusterInFlight());
            for (CampaignSpec.TopologyDomainCap cap : campaign.spec().domains()) {
                checkDomain(startDecision, cap, index);
            }
        } else if (startDecision.attempt().rollout() instanceof RolloutRef.IntentRef) {
            UpgradePolicy.IntentRule rule = fleetTables.policies().intents(machine.site());
            checkCap(
                    startDecision,
                    "annotations of site " + machine.site(),
                    fleetTables.inFlight().countForIntents(machine.site()),
                    rule.inFlight(),
                    fleetTables.machinesOfSite(machine.site()));
            checkCluster(startDecision, rule.clusterInFlight());
        }
    }

    private void checkCluster(StartDecision startDecision, @Nullable CountOrPercent limit) {
        String cluster = startDecision.machine().cluster();
        int machines = 0;
        int inFlight = fleetTables.membership().departedMachines(cluster, true).size()
                + fleetTables.membership().departedMachines(cluster, false).size();
        for (MachineRow other : fleetTables.machinesOf(cluster)) {
            machines++;
            inFlight += fleetTables.inFlight().contains(other.id()) ? 1 : 0;
        }
        checkCap(startDecision, "cluster " + cluster, inFlight, limit, machines);
    }

    private void checkDomain(
            StartDecision startDecision, CampaignSpec.TopologyDomainCap cap, CampaignMachineIndex index) {
        String value = startDecision.machine().labels().values().get(cap.label());
        if (value == null) {
            return;
        }
        int machines = 0;
        for (String id : index.selected()) {
            machines += isAlike(id, cap.label(), value) ? 1 : 0;
        }
        int inFlight = 0;
        for (String id :
                fleetTables.inFlight().machinesOf(startDecision.attempt().rollout())) {
            inFlight += isAlike(id, cap.label(), value) ? 1 : 0;
        }
        checkCap(startDecision, cap.label() + " " + value, inFlight, cap.inFlight(), machines);
    }

    private boolean isAlike(String id, String label, String value) {
        MachineRow machine = fleetTables.machine(id);
        return machine != null && value.equals(machine.labels().values().get(label));
    }

    private void checkCap(
            StartDecision startDecision, String scope, int inFlight, @Nullable CountOrPercent cap, int machines) {
        if (cap != null) {
            auditFindings.require(
                    inFlight + 1 <= cap.resolve(machines),
                    AuditInvariant.CAPS,
                    startDecision.machine().id() + " started as number " + (inFlight + 1) + " in flight of " + scope
                            + ", but the cap is " + cap.resolve(machines) + " (" + cap + " of " + machines + ")");
        }
    }
}
