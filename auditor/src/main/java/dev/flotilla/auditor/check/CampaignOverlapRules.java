package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import org.jspecify.annotations.Nullable;

/** A campaign does not take machines that an earlier one has still to bring to another target, unless that is approved of. */
final class CampaignOverlapRules {
    private final FleetTables fleetTables;

    CampaignOverlapRules(FleetTables fleetTables) {
        this.fleetTables = fleetTables;
    }

    /** The name of the earlier campaign that a campaign waits for; null for none. One whose deadline has passed keeps nobody waiting. */
    @Nullable
    String findEarlierCampaign(CampaignStatus campaign, long at) {
        for (CampaignStatus other : fleetTables.campaigns()) {
            Long deadline = other.spec().deadline();
            if (other.uid() < campaign.uid()
                    && (deadline == null || at < deadline)
                    && !campaign.mayRunBeside(other)
                    && !other.spec().target().equals(campaign.spec().target())
                    && share(fleetTables.campaignMachines(other), fleetTables.campaignMachines(campaign))) {
                return other.name();
            }
        }
        return null;
    }

    /** Whether two campaigns, of which neither is over, have still to do with the same machine. */
    private boolean share(@Nullable CampaignMachineIndex one, @Nullable CampaignMachineIndex other) {
        return one != null
                && other != null
                && fleetTables.duplicatedMachines().stream()
                        .anyMatch(machine -> one.targetsMachine(machine) && other.targetsMachine(machine));
    }
}
