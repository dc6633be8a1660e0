package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.UpgradePolicy;
import java.util.Set;

/**
 * Invariant 5: no attempt keeps its slot for ever. Timers are decided before other due work, so a decision of a later
 * kind shows that no attempt is overdue.
 */
final class OverdueAttemptRules {
    private static final long DEFAULT_LOST_TIMEOUT = 2 * 60 * 60_000L;
    /** An attempt becomes unknown this long after the end of its command lease. */
    private static final long GRACE = 30_000;

    private static final Set<String> AFTER_TIMERS = Set.of(
            "intent-status-changed",
            "site-status-changed",
            "machine-requeued",
            "wave-size-fixed",
            "wave-opened",
            "wave-closed",
            "campaign-completed",
            "campaign-purged",
            "attempt-cancelling",
            "attempt-admitted");

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    OverdueAttemptRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    void check(JournalRecord decision) {
        if (!AFTER_TIMERS.contains(decision.event())) {
            return;
        }
        for (String machine : fleetTables.inFlight().attempts()) {
            MachineStatus status = fleetTables.status(machine);
            UpgradeAttempt upgradeAttempt = status == null ? null : status.attempt();
            if (status == null || upgradeAttempt == null || fleetTables.isSuspended(status.site())) {
                continue;
            }
            boolean inTime = decision.time() <= upgradeAttempt.deadline() + allowance(status, upgradeAttempt);
            if (!inTime && fleetTables.isParked(status)) {
                auditFindings.reportUnverified("overdue attempts of machines that a bug keeps from being decided");
            } else {
                auditFindings.require(
                        inTime,
                        AuditInvariant.NOTHING_LOST,
                        machine + " attempt " + upgradeAttempt.id() + " is " + upgradeAttempt.state()
                                + " past its deadline, and the orchestrator decides other work");
            }
        }
    }

    private long allowance(MachineStatus status, UpgradeAttempt upgradeAttempt) {
        if (!upgradeAttempt.state().equals("unknown")) {
            return upgradeAttempt.mayHaveCalled() ? 0 : GRACE;
        }
        UpgradePolicy own = fleetTables.policy(status.site());
        UpgradePolicy all = fleetTables.policy("fleet");
        Long ofSite = own == null ? null : own.lostAttemptTimeout();
        Long ofFleet = all == null ? null : all.lostAttemptTimeout();
        return ofSite != null ? ofSite : ofFleet != null ? ofFleet : DEFAULT_LOST_TIMEOUT;
    }
}
