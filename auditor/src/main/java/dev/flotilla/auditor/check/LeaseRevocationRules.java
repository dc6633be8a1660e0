package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Invariant 7, the orchestrator's side: what is stopped is taken back before anything else is begun. Licences that have
 * to go are decided before waves, chores and starts; so a decision of those kinds says that none is left. And whatever
 * is decided, a licence does not stay out under one leader for half a minute.
 */
final class LeaseRevocationRules {
    /** How long a leader with much to do may take; a new one reads all inputs first, so its time begins anew. */
    private static final long LONGEST = 30_000;

    private static final Set<String> AFTER_LICENCES = Set.of(
            "intent-status-changed",
            "site-status-changed",
            "machine-requeued",
            "wave-size-fixed",
            "wave-opened",
            "wave-closed",
            "campaign-completed",
            "campaign-purged",
            "attempt-admitted");

    private static final Set<String> MAY_STOP =
            Set.of("order-applied", "policy-accepted", "campaign-paused", "campaign-aborted", "campaign-removed");

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    /** Since when, by the broker's clock, an attempt is stopped and may still call. */
    private final Map<Long, Long> stoppedSince = new HashMap<>();

    private boolean look;

    LeaseRevocationRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    void check(JournalRecord decision, long append) {
        if (decision.event().equals(JournalRecord.LEADER_ELECTED)) {
            stoppedSince.clear();
            look = true;
        }
        boolean strict = AFTER_LICENCES.contains(decision.event());
        if (strict || look) {
            look(strict, append);
        }
        look |= MAY_STOP.contains(decision.event());
    }

    private void look(boolean strict, long append) {
        Map<Long, Long> still = new HashMap<>();
        for (String machine : fleetTables.inFlight().attempts()) {
            MachineStatus status = fleetTables.status(machine);
            UpgradeAttempt upgradeAttempt = status == null ? null : status.attempt();
            if (status == null
                    || upgradeAttempt == null
                    || upgradeAttempt.cancelled()
                    || upgradeAttempt.mayHaveCalled()) {
                continue;
            }
            if (fleetTables.isSuspended(status.site())) {
                // Nothing can be told to its worker; the command runs out, as it is not renewed.
                continue;
            }
            boolean stopped = isStopped(status, upgradeAttempt);
            long since = stoppedSince.getOrDefault(upgradeAttempt.id(), append);
            auditFindings.require(
                    !stopped || (!strict && append - since <= LONGEST),
                    AuditInvariant.STOP,
                    machine + " attempt " + upgradeAttempt.id()
                            + " may still call while it is stopped, and the orchestrator goes on");
            if (stopped) {
                still.put(upgradeAttempt.id(), since);
            }
        }
        stoppedSince.clear();
        stoppedSince.putAll(still);
        look = !still.isEmpty();
    }

    private boolean isStopped(MachineStatus status, UpgradeAttempt upgradeAttempt) {
        if (fleetTables.isFrozen(status.site())) {
            return true;
        }
        CampaignStatus campaign = fleetTables.campaign(upgradeAttempt.rollout());
        return upgradeAttempt.rollout() instanceof RolloutRef.CampaignRef
                && (campaign == null || !campaign.isRunning());
    }
}
