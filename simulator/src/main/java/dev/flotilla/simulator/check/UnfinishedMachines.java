package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.simulator.log.CommittedTableRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The machines with unfinished work; invariant 5 requires that there are none in the end. */
public final class UnfinishedMachines {
    private final CommittedTableRows committed;
    private final ReferenceFleetState rows;
    private final RolloutMembers rolloutMembers;

    public UnfinishedMachines(CommittedTableRows committed) {
        this.committed = committed;
        this.rows = new ReferenceFleetState(committed, new ActiveOrders(), new GrantedApprovals());
        this.rolloutMembers = new RolloutMembers(rows);
    }

    /** Machines with an open attempt, or that a campaign or an intent still selects. */
    public Set<MachineKey> machines() {
        Set<MachineKey> found = new LinkedHashSet<>();
        rows.statuses().forEach(status -> {
            if (status.attempt() != null) {
                found.add(status.key());
            }
        });
        List<RolloutRef> rollouts = new ArrayList<>();
        for (CampaignStatus campaign : campaigns()) {
            rollouts.add(new RolloutRef.CampaignRef(campaign.name(), campaign.uid()));
        }
        for (UpgradeIntent intent : committed.all(UpgradeIntent.class)) {
            if (isCurrent(intent) && rows.intent(intent.object()) != null) {
                rollouts.add(new RolloutRef.IntentRef(intent.object(), intent.requestedAt()));
            }
        }
        for (MachineRow machine : rows.machines()) {
            for (RolloutRef rolloutRef : rollouts) {
                if (!machine.optOut()
                        && rolloutMembers.isMember(machine, rolloutRef)
                        && !hasEnded(machine, rolloutRef)) {
                    found.add(machine.key());
                }
            }
        }
        return found;
    }

    /**
     * Machines of some sites, and machines elsewhere whose node a machine of these sites shows as well and has to
     * release first.
     */
    public Set<MachineKey> boundToSites(Set<SiteId> sites) {
        Set<MachineKey> bound = new LinkedHashSet<>();
        for (MachineRow machine : rows.machines()) {
            MachineRow first = rows.duplicateNodeInUse(machine);
            if (sites.contains(machine.key().site())
                    || (first != null && sites.contains(first.key().site()))) {
                bound.add(machine.key());
            }
        }
        return bound;
    }

    /** Campaigns with a machine that cannot reach the target, because the version rules forbid it. */
    public List<CampaignStatus> campaignsOutOfReach() {
        VersionSkewInvariants versions = new VersionSkewInvariants(rows);
        List<CampaignStatus> found = new ArrayList<>();
        for (CampaignStatus campaign : campaigns()) {
            RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
            boolean any = rows.machines().stream()
                    .anyMatch(machine -> rolloutMembers.isMember(machine, rolloutRef)
                            && !hasEnded(machine, rolloutRef)
                            && (versions.breaksVersionRules(campaign, machine)
                                    || !rows.allowsPath(
                                            machine.key().site(),
                                            campaign.acceptedCampaign()
                                                    .spec()
                                                    .target()
                                                    .option())
                                    || !rows.canApply(
                                            machine,
                                            campaign.acceptedCampaign()
                                                    .spec()
                                                    .target()
                                                    .option())));
            if (any) {
                found.add(campaign);
            }
        }
        return found;
    }

    /** Intents that one of their machines cannot fulfil, because the version rules forbid it. */
    public List<ObjectKey> annotationsOutOfReach() {
        VersionSkewInvariants versions = new VersionSkewInvariants(rows);
        List<ObjectKey> found = new ArrayList<>();
        Collection<MachineRow> machines = rows.machines();
        for (UpgradeIntent intent : committed.all(UpgradeIntent.class)) {
            RolloutRef rolloutRef = new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
            // Neither an intent nor its entries are about machines of another site.
            boolean any = machines.stream()
                    .anyMatch(machine ->
                            intent.object().site().equals(machine.key().site())
                                    && rolloutMembers.isMember(machine, rolloutRef)
                                    && !hasEnded(machine, rolloutRef)
                                    && versions.breaksVersionRules(intent, machine));
            if (any) {
                found.add(intent.object());
            }
        }
        return found;
    }

    /**
     * Campaigns that are not over although each of their machines has ended. A campaign that selects nothing yet may
     * wait forever.
     */
    public List<CampaignStatus> idleCampaigns() {
        List<CampaignStatus> found = new ArrayList<>();
        for (CampaignStatus campaign : campaigns()) {
            if (rolloutMembers.countMembers(campaign) > 0) {
                found.add(campaign);
            }
        }
        return found;
    }

    private List<CampaignStatus> campaigns() {
        List<CampaignStatus> open = new ArrayList<>();
        for (CampaignStatus campaign : committed.all(CampaignStatus.class)) {
            if (!campaign.state().isOver()) {
                open.add(campaign);
            }
        }
        return open;
    }

    private boolean isCurrent(UpgradeIntent intent) {
        return switch (intent.object()) {
            case MachineKey machine -> {
                MachineRow row = rows.machine(machine);
                yield row != null && row.uid().equals(intent.uid());
            }
            case ClusterKey cluster -> {
                ClusterRow row = rows.cluster(cluster);
                yield row != null && row.uid().equals(intent.uid());
            }
            // An owner has no row, so its intents are always current.
            case OwnerKey owner -> true;
        };
    }

    private boolean hasEnded(MachineRow machine, RolloutRef rolloutRef) {
        var status = rows.status(machine.key());
        RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
        return entry != null
                && entry.outcome().hasEnded()
                && status != null
                && status.uid().equals(machine.uid());
    }
}
