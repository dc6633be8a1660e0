package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignSpec.CampaignDependency;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;

/** Whether the campaigns that a campaign depends on have progressed far enough. */
public final class CampaignDependencies {
    private static final long HUNDRED = 100;

    private final FleetTables fleetTables;

    public CampaignDependencies(FleetTables fleetTables) {
        this.fleetTables = fleetTables;
    }

    public boolean areMet(CampaignStatus campaign) {
        for (CampaignDependency campaignDependency : campaign.spec().dependsOn()) {
            if (fleetTables.campaigns().stream()
                    .noneMatch(other -> other.name().equals(campaignDependency.campaign())
                            && hasSucceeded(other, campaignDependency.successPercent()))) {
                return false;
            }
        }
        return true;
    }

    /** Skipped machines do not count, nor do machines that joined a campaign after it completed. */
    private boolean hasSucceeded(CampaignStatus campaign, long percent) {
        RolloutRef rolloutRef = campaign.rollout();
        long counted = 0;
        long succeeded = 0;
        for (MachineRow machine : fleetTables.countedMachines()) {
            if (!fleetTables.membership().isSelected(machine, rolloutRef)) {
                continue;
            }
            MachineStatus status = fleetTables.status(machine.id());
            RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
            boolean flies = status != null && status.isInFlightFor(rolloutRef);
            if (rolloutEntry != null && rolloutEntry.hasEnded() && !flies) {
                counted += rolloutEntry.isSkipped() ? 0 : 1;
                succeeded += rolloutEntry.isAtTarget() ? 1 : 0;
            } else if (flies || (!machine.optOut() && !campaign.state().equals("completed"))) {
                counted++;
            }
        }
        return counted > 0 && succeeded * HUNDRED >= counted * percent;
    }
}
