package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignBook;
import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import org.jspecify.annotations.Nullable;

/** A campaign does not take machines that an earlier one has still to bring to another target, unless that is approved of. */
final class OverlapRules {
    private final Fleet fleet;

    OverlapRules(Fleet fleet) {
        this.fleet = fleet;
    }

    /** The name of the earlier campaign that a campaign waits for; null for none. One whose deadline has passed keeps nobody waiting. */
    @Nullable
    String before(CampaignStatus campaign, long at) {
        for (CampaignStatus other : fleet.campaigns()) {
            Long deadline = other.spec().deadline();
            if (other.uid() < campaign.uid()
                    && (deadline == null || at < deadline)
                    && !campaign.mayRunBeside(other)
                    && !other.spec().target().equals(campaign.spec().target())
                    && share(fleet.book(other), fleet.book(campaign))) {
                return other.name();
            }
        }
        return null;
    }

    /** Whether two campaigns, of which neither is over, have still to do with the same machine. */
    private boolean share(@Nullable CampaignBook one, @Nullable CampaignBook other) {
        return one != null
                && other != null
                && fleet.contested().stream().anyMatch(machine -> one.wants(machine) && other.wants(machine));
    }
}
