package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a target resolves to is resolved in each site separately: a site's machines resolve it for no other site. */
final class ResolvedTargetSourceInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    ResolvedTargetSourceInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    /** Requires that a campaign resolves a target from a machine of the same site. */
    void checkResolvedTargets(CampaignStatus campaign, @Nullable CampaignStatus before, Decision decision) {
        List<CampaignStatus.ResolvedTarget> resolved = new ArrayList<>(campaign.resolvedTargets());
        resolved.removeAll(before == null ? List.of() : before.resolvedTargets());
        for (CampaignStatus.ResolvedTarget target : resolved) {
            SiteId site = target.site();
            // Also from a machine that was created again since: what is known of it ends with its attempt.
            boolean changedMachineOfSite = decision.changes().stream()
                    .anyMatch(rowChange -> rowChange.rowKey().table() == Table.STATUS
                            && rowChange.rowKey().key() instanceof MachineKey machine
                            && machine.site().equals(site));
            violationLog.require(
                    changedMachineOfSite,
                    Invariant.RESOLVED_TARGET,
                    "campaign " + campaign.name() + " has resolved " + target + " without a machine of that site");
        }
    }

    /** Requires that the revision in a command was resolved in the machine's own site. */
    void checkCommand(WorkerCommand.UpgradeMachine command, Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof MachineStatus status
                    && status.attempt() != null
                    && command.resolvedRevision() != null) {
                CampaignStatus campaign = rows.campaign(status.attempt().rolloutRef());
                violationLog.require(
                        campaign != null
                                && campaign.resolvedTargets().stream()
                                        .anyMatch(target -> status.key().site().equals(target.site())
                                                && command.resolvedRevision().equals(target.revision())),
                        Invariant.RESOLVED_TARGET,
                        command.key() + " must show revision " + command.resolvedRevision()
                                + ", which no machine of its site has resolved");
            }
        }
    }
}
