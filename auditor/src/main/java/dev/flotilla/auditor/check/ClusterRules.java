package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Limit;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.PolicyRow;
import org.jspecify.annotations.Nullable;

/** Invariant 2: the order within a cluster, and how much of it may be away. */
final class ClusterRules {
    private final Fleet fleet;
    private final Findings findings;

    ClusterRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    void check(Start start) {
        MachineRow machine = start.machine();
        int controlPlanes = 0;
        int workers = 0;
        int away = 0;
        for (MachineRow other : fleet.machinesOf(machine.cluster())) {
            boolean self = other.id().equals(machine.id());
            if (other.controlPlane()) {
                controlPlanes++;
                if (!self) {
                    beside(start, other);
                }
            } else {
                workers++;
                away += self || !other.ready() || fleet.flights().contains(other.id()) ? 1 : 0;
            }
        }
        if (machine.controlPlane()) {
            ClusterRow cluster = fleet.cluster(machine.cluster());
            findings.require(
                    cluster != null && cluster.controlPlaneReplicas() == controlPlanes,
                    Invariant.CLUSTER,
                    machine.id() + " started though " + controlPlanes + " control-plane machines are known of "
                            + cluster);
        } else {
            int allowed = maxUnavailable(machine.site(), start.campaign()).of(workers);
            findings.require(
                    away <= allowed,
                    Invariant.CLUSTER,
                    machine.id() + " started: with it " + away
                            + " workers of its cluster are unavailable or in flight, " + allowed + " may be");
        }
    }

    private void beside(Start start, MachineRow other) {
        MachineRow machine = start.machine();
        findings.require(
                !fleet.flights().contains(other.id()),
                Invariant.CLUSTER,
                machine.id() + " started while control-plane machine " + other.id() + " is in flight");
        CampaignStatus campaign = start.campaign();
        if (machine.controlPlane()) {
            findings.require(
                    other.ready(),
                    Invariant.CLUSTER,
                    machine.id() + " started while control-plane machine " + other.id() + " is not ready");
        } else if (campaign == null || campaign.spec().controlPlaneFirst()) {
            findings.require(
                    fleet.members().isDone(other, start.attempt().driver()),
                    Invariant.CLUSTER,
                    "worker " + machine.id() + " started before control-plane machine " + other.id());
        }
    }

    private Limit maxUnavailable(String site, @Nullable CampaignStatus campaign) {
        if (campaign != null) {
            return campaign.spec().maxUnavailable();
        }
        PolicyRow own = fleet.policy(site);
        PolicyRow all = fleet.policy("fleet");
        Limit ofSite = own == null ? null : own.intentsUnavailable();
        Limit ofFleet = all == null ? null : all.intentsUnavailable();
        return ofSite != null ? ofSite : ofFleet != null ? ofFleet : new Limit(1, false);
    }
}
