package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import java.util.Set;

/**
 * Invariant 7, the orchestrator's side: what is stopped is taken back before anything else is begun. Licences that have
 * to go are decided before waves, chores and starts; so a decision of those kinds says that none is left.
 */
final class StopRules {
    private static final Set<String> AFTER_LICENCES = Set.of(
            "object-progressed",
            "machine-retried",
            "wave-opened",
            "wave-closed",
            "campaign-completed",
            "campaign-forgotten",
            "attempt-admitted");

    private final Fleet fleet;
    private final Findings findings;

    StopRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    void check(JournalRecord decision) {
        if (!AFTER_LICENCES.contains(decision.event())) {
            return;
        }
        for (String machine : fleet.flights().attempts()) {
            MachineStatus status = fleet.status(machine);
            Attempt attempt = status == null ? null : status.attempt();
            if (status != null && attempt != null && !attempt.cancelled() && !attempt.mayHaveCalled()) {
                findings.require(
                        !isStopped(status, attempt),
                        Invariant.STOP,
                        machine + " attempt " + attempt.number()
                                + " may still call while it is stopped, and the orchestrator goes on");
            }
        }
    }

    private boolean isStopped(MachineStatus status, Attempt attempt) {
        if (fleet.frozen(status.site())) {
            return true;
        }
        CampaignStatus campaign = fleet.campaign(attempt.driver());
        return attempt.driver() instanceof Driver.OfCampaign && (campaign == null || !campaign.runs());
    }
}
