package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Campaigns that want the same machines with different targets: the later one waits, unless the overlap is approved.
 */
final class CampaignOverlapInvariants {
    private final ReferenceFleetState rows;
    private final RolloutMembers rolloutMembers;

    CampaignOverlapInvariants(ReferenceFleetState rows, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.rolloutMembers = rolloutMembers;
    }

    /**
     * The earlier campaign that a campaign waits for; null if none. A campaign whose deadline has passed blocks no
     * other.
     */
    @Nullable
    CampaignName campaignWaitedFor(CampaignStatus campaign, Instant at) {
        Long approved = rows.grantedApprovals().overlapOf(campaign);
        for (CampaignStatus other : rows.campaigns()) {
            boolean unequal = !other.acceptedCampaign()
                    .spec()
                    .target()
                    .option()
                    .equals(campaign.acceptedCampaign().spec().target().option());
            boolean mayPass = approved != null && approved == other.uid();
            Instant deadline = other.acceptedCampaign().spec().deadline();
            mayPass |= deadline != null && !at.isBefore(deadline);
            if (!mayPass && other.uid() < campaign.uid() && !other.state().isOver() && unequal) {
                for (MachineRow machine : rows.machines()) {
                    if (!rows.isSiteUnread(machine.key().site()) && wants(other, machine) && wants(campaign, machine)) {
                        return other.name();
                    }
                }
            }
        }
        return null;
    }

    private boolean wants(CampaignStatus campaign, MachineRow machine) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        MachineStatus status = rows.status(machine.key());
        if (ReferenceFleetState.inFlight(status, rolloutRef)) {
            return true;
        }
        RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
        boolean open = entry == null
                ? rows.cluster(machine.clusterKey()) != null && rolloutMembers.isMember(machine, rolloutRef)
                : !entry.outcome().hasEnded();
        return open
                && !machine.optOut()
                && rows.canApply(
                        machine, campaign.acceptedCampaign().spec().target().option());
    }
}
