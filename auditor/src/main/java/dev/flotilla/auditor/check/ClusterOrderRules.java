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

/** Invariant 2: the order within a cluster, and how much of it may be away. */
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
        int away = 0;
        for (MachineRow other : fleetTables.machinesOf(machine.cluster())) {
            rest(startDecision, other);
            strict(startDecision, other);
            boolean self = other.id().equals(machine.id());
            if (other.controlPlane()) {
                controlPlanes++;
                if (!self) {
                    beside(startDecision, other);
                }
            } else {
                workers++;
                away += self || !other.ready() || fleetTables.inFlight().contains(other.id()) ? 1 : 0;
            }
        }
        List<String> departed = fleetTables.membership().departedMachines(machine.cluster(), true);
        auditFindings.require(
                departed.isEmpty(),
                AuditInvariant.CLUSTER,
                machine.id() + " started while control-plane machine " + departed
                        + " is in flight, which has left the cluster's rows");
        away += fleetTables
                .membership()
                .departedMachines(machine.cluster(), false)
                .size();
        if (machine.controlPlane()) {
            ClusterRow cluster = fleetTables.cluster(machine.cluster());
            auditFindings.require(
                    cluster != null && cluster.controlPlaneReplicas() == controlPlanes,
                    AuditInvariant.CLUSTER,
                    machine.id() + " started though " + controlPlanes + " control-plane machines are known of "
                            + cluster);
        } else {
            int allowed =
                    maxUnavailable(machine.site(), startDecision.campaign()).resolve(workers);
            auditFindings.require(
                    away <= allowed,
                    AuditInvariant.CLUSTER,
                    machine.id() + " started: with it " + away
                            + " workers of its cluster are unavailable or in flight, " + allowed + " may be");
        }
    }

    /** A cluster rests after a success of one of its machines. */
    private void rest(StartDecision startDecision, MachineRow other) {
        MachineStatus status = fleetTables.status(other.id());
        if (status != null) {
            for (RolloutEntry rolloutEntry : status.entries()) {
                auditFindings.require(
                        rolloutEntry.soakUntil() == null || startDecision.decidedAt() >= rolloutEntry.soakUntil(),
                        AuditInvariant.CLUSTER,
                        startDecision.machine().id() + " started while its cluster rests after " + other.id());
            }
        }
    }

    /** A strict campaign goes on in no cluster one of whose machines it gave up on, but with a control plane that it began. */
    private void strict(StartDecision startDecision, MachineRow other) {
        CampaignStatus campaign = startDecision.campaign();
        MachineRow machine = startDecision.machine();
        MachineStatus status = fleetTables.status(other.id());
        RolloutEntry rolloutEntry =
                status == null ? null : status.entry(startDecision.attempt().rollout());
        boolean judged =
                campaign != null && campaign.spec().strict() && rolloutEntry != null && rolloutEntry.isQuarantined();
        auditFindings.require(
                !judged
                        || !fleetTables
                                .membership()
                                .isSelected(other, startDecision.attempt().rollout())
                        || (machine.controlPlane()
                                && fleetTables
                                        .membership()
                                        .hasBegunControlPlane(
                                                machine, startDecision.attempt().rollout())),
                AuditInvariant.CLUSTER,
                machine.id() + " started in a cluster of which " + other.id() + " was given up on");
    }

    /** A success that took a call says how long its cluster rests: as long as its campaign, or the policy for annotations, asks for. */
    void recordClusterSoak(MachineStatus now, long at) {
        MachineStatus before = fleetTables.status(now.id());
        for (RolloutEntry rolloutEntry : now.entries()) {
            RolloutEntry known = before == null ? null : before.entry(rolloutEntry.rollout());
            CampaignStatus campaign = fleetTables.campaign(rolloutEntry.rollout());
            boolean judged = campaign != null || rolloutEntry.rollout() instanceof RolloutRef.IntentRef;
            if (judged && known != null && rolloutEntry.isUpgraded() && !known.isUpgraded()) {
                long settle = campaign == null
                        ? fleetTables.intents(now.site()).clusterSoak()
                        : campaign.spec().clusterSoak();
                long rest = rolloutEntry.soakUntil() == null ? 0 : rolloutEntry.soakUntil() - at;
                auditFindings.require(
                        rest == settle,
                        AuditInvariant.CLUSTER,
                        now.id() + " succeeded and its cluster rests for " + rest + " ms instead of " + settle);
            }
        }
    }

    private void beside(StartDecision startDecision, MachineRow other) {
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
        return fleetTables.intents(site).maxUnavailable();
    }
}
