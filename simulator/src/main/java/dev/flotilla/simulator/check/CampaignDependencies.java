package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import org.jspecify.annotations.Nullable;

/** Whether the campaigns that a campaign depends on have progressed far enough. */
final class CampaignDependencies {
    private static final int HUNDRED = 100;

    private final ReferenceFleetState rows;
    private final RolloutMembers rolloutMembers;

    CampaignDependencies(ReferenceFleetState rows, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.rolloutMembers = rolloutMembers;
    }

    boolean areMet(CampaignStatus campaign) {
        return campaign.acceptedCampaign().spec().dependsOn().stream().allMatch(this::isMet);
    }

    private boolean isMet(CampaignDependency dependency) {
        CampaignStatus other = campaignNamed(dependency.campaign());
        if (other == null) {
            return false;
        }
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(other.name(), other.uid());
        long counted = 0;
        long atTarget = 0;
        for (MachineRow machine : rows.machines()) {
            boolean known = other.state() != CampaignState.COMPLETED
                    || !rows.isSiteUnread(machine.key().site());
            if (known && rolloutMembers.isMember(machine, rolloutRef)) {
                MachineStatus status = rows.status(machine.key());
                RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
                boolean inFlight = ReferenceFleetState.inFlight(status, rolloutRef);
                MachineOutcome ended =
                        entry == null || inFlight || !entry.outcome().hasEnded() ? null : entry.outcome();
                boolean skipped = ended == null ? machine.optOut() && !inFlight : ended == MachineOutcome.SKIPPED;
                boolean late = ended == null && other.state() == CampaignState.COMPLETED;
                counted += skipped || late ? 0 : 1;
                atTarget += ended != null && ended.isAtTarget() ? 1 : 0;
            }
        }
        return counted > 0 && atTarget * HUNDRED >= counted * dependency.successPercent();
    }

    private @Nullable CampaignStatus campaignNamed(CampaignName name) {
        for (CampaignStatus campaign : rows.campaigns()) {
            if (campaign.name().equals(name)) {
                return campaign;
            }
        }
        return null;
    }
}
