package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a campaign does not start machines that an earlier campaign has still to bring to another target, unless
 * the overlap is approved.
 */
final class CampaignOverlapRules {
    private final FleetTables fleetTables;

    CampaignOverlapRules(FleetTables fleetTables) {
        this.fleetTables = fleetTables;
    }

    /**
     * The name of the earlier campaign for which a campaign waits; null if there is none. A campaign whose deadline has
     * passed blocks no other.
     */
    @Nullable
    String findEarlierCampaign(CampaignStatus campaign, long at) {
        for (CampaignStatus other : fleetTables.campaigns()) {
            Long deadline = other.spec().deadline();
            if (other.uid() < campaign.uid()
                    && (deadline == null || at < deadline)
                    && !campaign.mayRunBeside(other)
                    && !other.spec().target().equals(campaign.spec().target())
                    && haveCommonMachine(fleetTables.campaignMachines(other), fleetTables.campaignMachines(campaign))) {
                return other.name();
            }
        }
        return null;
    }

    /** Whether two campaigns that are not over both target the same machine. */
    private boolean haveCommonMachine(@Nullable CampaignMachineIndex one, @Nullable CampaignMachineIndex other) {
        return one != null
                && other != null
                && fleetTables.duplicatedMachines().stream()
                        .anyMatch(machine -> one.targetsMachine(machine) && other.targetsMachine(machine));
    }
}
