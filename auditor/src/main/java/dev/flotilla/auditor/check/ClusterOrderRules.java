package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.CountOrPercent;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Invariant 2: the order of machines within a cluster, and how many may be unavailable. */
final class ClusterOrderRules {
    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    ClusterOrderRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    void check(StartDecision startDecision) {
        MachineRow machine = startDecision.machine();
        int controlPlanes = 0;
        int workers = 0;
        int unavailable = 0;
        for (MachineRow other : fleetTables.machinesOf(machine.cluster())) {
            checkSoak(startDecision, other);
            checkStrict(startDecision, other);
            boolean self = other.id().equals(machine.id());
            if (other.controlPlane()) {
                controlPlanes++;
                if (!self) {
                    checkControlPlane(startDecision, other);
                }
            } else {
                workers++;
                unavailable += self || !other.ready() || fleetTables.inFlight().contains(other.id()) ? 1 : 0;
            }
        }
        List<String> departed = fleetTables.membership().departedMachines(machine.cluster(), true);
        auditFindings.require(
                departed.isEmpty(),
                AuditInvariant.CLUSTER,
                machine.id() + " started while control-plane machine " + departed
                        + ", which no longer has an inventory row in the cluster, is in flight");
        unavailable += fleetTables
                .membership()
                .departedMachines(machine.cluster(), false)
                .size();
        if (machine.controlPlane()) {
            ClusterRow cluster = fleetTables.cluster(machine.cluster());
            auditFindings.require(
                    cluster != null && cluster.controlPlaneReplicas() == controlPlanes,
                    AuditInvariant.CLUSTER,
                    machine.id() + " started although " + controlPlanes + " control-plane machines are known of "
                            + cluster);
        } else {
            int allowed =
                    maxUnavailable(machine.site(), startDecision.campaign()).resolve(workers);
            auditFindings.require(
                    unavailable <= allowed,
                    AuditInvariant.CLUSTER,
                    machine.id() + " started: with it " + unavailable
                            + " workers of its cluster are unavailable or in flight; at most " + allowed + " may be");
        }
    }

    /** Checks the cluster's soak after a success of one of its machines. */
    private void checkSoak(StartDecision startDecision, MachineRow other) {
        MachineStatus status = fleetTables.status(other.id());
        if (status != null) {
            for (RolloutEntry rolloutEntry : status.entries()) {
                auditFindings.require(
                        rolloutEntry.soakUntil() == null || startDecision.decidedAt() >= rolloutEntry.soakUntil(),
                        AuditInvariant.CLUSTER,
                        startDecision.machine().id() + " started during the cluster soak after " + other.id());
            }
        }
    }

    /**
     * A strict campaign starts no machine in a cluster with a quarantined one, except the rest of a control plane that
     * it has started.
     */
    private void checkStrict(StartDecision startDecision, MachineRow other) {
        CampaignStatus campaign = startDecision.campaign();
        MachineRow machine = startDecision.machine();
        MachineStatus status = fleetTables.status(other.id());
        RolloutEntry rolloutEntry =
                status == null ? null : status.entry(startDecision.attempt().rollout());
        boolean applies =
                campaign != null && campaign.spec().strict() && rolloutEntry != null && rolloutEntry.isQuarantined();
        auditFindings.require(
                !applies
                        || !fleetTables
                                .membership()
                                .isSelected(other, startDecision.attempt().rollout())
                        || (machine.controlPlane()
                                && fleetTables
                                        .membership()
                                        .hasStartedControlPlane(
                                                machine, startDecision.attempt().rollout())),
                AuditInvariant.CLUSTER,
                machine.id() + " started in a cluster in which " + other.id() + " is quarantined");
    }

    /** Checks the soak that a success after a call sets: the campaign's, or the policy's for intents. */
    void recordClusterSoak(MachineStatus now, long at) {
        MachineStatus before = fleetTables.status(now.id());
        for (RolloutEntry rolloutEntry : now.entries()) {
            RolloutEntry known = before == null ? null : before.entry(rolloutEntry.rollout());
            CampaignStatus campaign = fleetTables.campaign(rolloutEntry.rollout());
            boolean applies = campaign != null || rolloutEntry.rollout() instanceof RolloutRef.IntentRef;
            if (applies && known != null && rolloutEntry.isUpgraded() && !known.isUpgraded()) {
                long expectedSoak = campaign == null
                        ? fleetTables.policies().intents(now.site()).clusterSoak()
                        : campaign.spec().clusterSoak();
                long soak = rolloutEntry.soakUntil() == null ? 0 : rolloutEntry.soakUntil() - at;
                auditFindings.require(
                        soak == expectedSoak,
                        AuditInvariant.CLUSTER,
                        now.id() + " succeeded and its cluster soaks for " + soak + " ms instead of " + expectedSoak);
            }
        }
    }

    private void checkControlPlane(StartDecision startDecision, MachineRow other) {
        MachineRow machine = startDecision.machine();
        auditFindings.require(
                !fleetTables.inFlight().contains(other.id()),
                AuditInvariant.CLUSTER,
                machine.id() + " started while control-plane machine " + other.id() + " is in flight");
        CampaignStatus campaign = startDecision.campaign();
        if (machine.controlPlane()) {
            auditFindings.require(
                    other.ready(),
                    AuditInvariant.CLUSTER,
                    machine.id() + " started while control-plane machine " + other.id() + " is not ready");
        } else if (campaign == null || campaign.spec().controlPlaneFirst()) {
            auditFindings.require(
                    fleetTables
                            .membership()
                            .isDone(other, startDecision.attempt().rollout()),
                    AuditInvariant.CLUSTER,
                    "worker " + machine.id() + " started before control-plane machine " + other.id());
        }
    }

    private CountOrPercent maxUnavailable(String site, @Nullable CampaignStatus campaign) {
        if (campaign != null) {
            return campaign.spec().maxUnavailable();
        }
        return fleetTables.policies().intents(site).maxUnavailable();
    }
}
