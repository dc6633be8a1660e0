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
 * Invariant 7, the orchestrator's side: command leases of stopped attempts are revoked before anything else starts.
 * Leases to revoke are decided before waves, requeues and starts, so a decision of these kinds shows that none is left.
 * In any case no lease stays in force under one leader for half a minute.
 */
final class LeaseRevocationRules {
    /** How long a busy leader may take; a new leader reads all inputs first, so its time starts again. */
    private static final long MAX_DELAY = 30_000;

    private static final Set<String> AFTER_REVOCATIONS = Set.of(
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
    /** Append time since when an attempt is stopped and may still call. */
    private final Map<Long, Long> stoppedSince = new HashMap<>();

    private boolean mustCheck;

    LeaseRevocationRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    void check(JournalRecord decision, long append) {
        if (decision.event().equals(JournalRecord.LEADER_ELECTED)) {
            stoppedSince.clear();
            mustCheck = true;
        }
        boolean strict = AFTER_REVOCATIONS.contains(decision.event());
        if (strict || mustCheck) {
            checkAttempts(strict, append);
        }
        mustCheck |= MAY_STOP.contains(decision.event());
    }

    private void checkAttempts(boolean strict, long append) {
        Map<Long, Long> stillStopped = new HashMap<>();
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
                // Nothing can be written to its worker; the command lease expires because it is not renewed.
                continue;
            }
            if (fleetTables.isParked(status)) {
                auditFindings.reportUnverified("command leases of machines that a bug keeps from being decided");
                continue;
            }
            boolean stopped = isStopped(status, upgradeAttempt);
            long since = stoppedSince.getOrDefault(upgradeAttempt.id(), append);
            auditFindings.require(
                    !stopped || (!strict && append - since <= MAX_DELAY),
                    AuditInvariant.STOP,
                    machine + " attempt " + upgradeAttempt.id()
                            + " may still call although it is stopped, and the orchestrator decides other work");
            if (stopped) {
                stillStopped.put(upgradeAttempt.id(), since);
            }
        }
        stoppedSince.clear();
        stoppedSince.putAll(stillStopped);
        mustCheck = !stillStopped.isEmpty();
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
