package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.Limit;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import java.util.List;
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
            rest(start, other);
            strict(start, other);
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
        List<String> departed = fleet.members().departed(machine.cluster(), true);
        findings.require(
                departed.isEmpty(),
                Invariant.CLUSTER,
                machine.id() + " started while control-plane machine " + departed
                        + " is in flight, which has left the cluster's rows");
        away += fleet.members().departed(machine.cluster(), false).size();
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

    /** A cluster rests after a success of one of its machines. */
    private void rest(Start start, MachineRow other) {
        MachineStatus status = fleet.status(other.id());
        if (status != null) {
            for (Entry entry : status.entries()) {
                findings.require(
                        entry.restUntil() == null || start.at() >= entry.restUntil(),
                        Invariant.CLUSTER,
                        start.machine().id() + " started while its cluster rests after " + other.id());
            }
        }
    }

    /** A strict campaign goes on in no cluster one of whose machines it gave up on, but with a control plane that it began. */
    private void strict(Start start, MachineRow other) {
        CampaignStatus campaign = start.campaign();
        MachineRow machine = start.machine();
        MachineStatus status = fleet.status(other.id());
        Entry entry = status == null ? null : status.entry(start.attempt().driver());
        boolean judged = campaign != null && campaign.spec().strict() && entry != null && entry.quarantined();
        findings.require(
                !judged
                        || !fleet.members().selected(other, start.attempt().driver())
                        || (machine.controlPlane()
                                && fleet.members()
                                        .controlPlaneBegun(
                                                machine, start.attempt().driver())),
                Invariant.CLUSTER,
                machine.id() + " started in a cluster of which " + other.id() + " was given up on");
    }

    /** A success that took a call says how long its cluster rests: as long as its campaign, or the policy for annotations, asks for. */
    void settles(MachineStatus now, long at) {
        MachineStatus before = fleet.status(now.id());
        for (Entry entry : now.entries()) {
            Entry known = before == null ? null : before.entry(entry.driver());
            CampaignStatus campaign = fleet.campaign(entry.driver());
            boolean judged = campaign != null || entry.driver() instanceof Driver.OfIntent;
            if (judged && known != null && entry.upgraded() && !known.upgraded()) {
                long settle = campaign == null
                        ? fleet.intents(now.site()).settle()
                        : campaign.spec().settle();
                long rest = entry.restUntil() == null ? 0 : entry.restUntil() - at;
                findings.require(
                        rest == settle,
                        Invariant.CLUSTER,
                        now.id() + " succeeded and its cluster rests for " + rest + " ms instead of " + settle);
            }
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
        return fleet.intents(site).maxUnavailable();
    }
}
