package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a target means is learned in each site by itself: a site's worker speaks for no other site. */
final class TeacherRules {
    private final Recount rows;
    private final Verdicts verdicts;

    TeacherRules(Recount rows, Verdicts verdicts) {
        this.rows = rows;
        this.verdicts = verdicts;
    }

    /** What a campaign learns it learns from a machine of the site that it is learned for. */
    void learns(CampaignStatus campaign, @Nullable CampaignStatus before, Decision decision) {
        List<CampaignStatus.Learned> learned = new ArrayList<>(campaign.learned());
        learned.removeAll(before == null ? List.of() : before.learned());
        for (CampaignStatus.Learned each : learned) {
            SiteId site = each.site();
            // Also one that has been made anew since: what is known of it ends with its attempt.
            boolean taught = decision.facts().stream()
                    .anyMatch(fact -> fact.at().table() == Table.STATUS
                            && fact.at().key() instanceof MachineKey machine
                            && machine.site().equals(site));
            verdicts.require(
                    taught,
                    Invariant.TEACHER,
                    "campaign " + campaign.name() + " has learned " + each + " from no machine of that site");
        }
    }

    /** What a machine has to show is what its own site has taught. */
    void commands(Command.UpgradeMachine command, Decision decision) {
        for (Fact fact : decision.facts()) {
            if (fact instanceof MachineStatus status && status.attempt() != null && command.learnedRevision() != null) {
                CampaignStatus campaign = rows.campaign(status.attempt().driver());
                verdicts.require(
                        campaign != null
                                && campaign.learned().stream()
                                        .anyMatch(each -> status.key().site().equals(each.site())
                                                && command.learnedRevision().equals(each.revision())),
                        Invariant.TEACHER,
                        command.key() + " has to show revision " + command.learnedRevision()
                                + ", which no machine of its site has taught");
            }
        }
    }
}
