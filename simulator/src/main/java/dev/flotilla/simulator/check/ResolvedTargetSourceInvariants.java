package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a target means is learned in each site by itself: a site's worker speaks for no other site. */
final class ResolvedTargetSourceInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    ResolvedTargetSourceInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    /** What a campaign learns it learns from a machine of the site that it is learned for. */
    void checkResolvedTargets(CampaignStatus campaign, @Nullable CampaignStatus before, Decision decision) {
        List<CampaignStatus.ResolvedTarget> learned = new ArrayList<>(campaign.resolvedTargets());
        learned.removeAll(before == null ? List.of() : before.resolvedTargets());
        for (CampaignStatus.ResolvedTarget each : learned) {
            SiteId site = each.site();
            // Also one that has been made anew since: what is known of it ends with its attempt.
            boolean taught = decision.changes().stream()
                    .anyMatch(rowChange -> rowChange.rowKey().table() == Table.STATUS
                            && rowChange.rowKey().key() instanceof MachineKey machine
                            && machine.site().equals(site));
            violationLog.require(
                    taught,
                    Invariant.TEACHER,
                    "campaign " + campaign.name() + " has learned " + each + " from no machine of that site");
        }
    }

    /** What a machine has to show is what its own site has taught. */
    void checkCommand(WorkerCommand.UpgradeMachine command, Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof MachineStatus status
                    && status.attempt() != null
                    && command.resolvedRevision() != null) {
                CampaignStatus campaign = rows.campaign(status.attempt().rolloutRef());
                violationLog.require(
                        campaign != null
                                && campaign.resolvedTargets().stream()
                                        .anyMatch(each -> status.key().site().equals(each.site())
                                                && command.resolvedRevision().equals(each.revision())),
                        Invariant.TEACHER,
                        command.key() + " has to show revision " + command.resolvedRevision()
                                + ", which no machine of its site has taught");
            }
        }
    }
}
