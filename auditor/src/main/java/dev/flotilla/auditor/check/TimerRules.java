package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.PolicyRow;
import java.util.Set;

/**
 * Invariant 5: no attempt holds its slot for ever. Timers are decided before anything else that falls due; so a decision
 * of a later kind says that none is overdue.
 */
final class TimerRules {
    private static final long USUAL_LOST_AFTER = 2 * 60 * 60_000L;
    /** An attempt is unknown so long after its command's end. */
    private static final long GRACE = 30_000;

    private static final Set<String> AFTER_TIMERS = Set.of(
            "object-progressed",
            "site-told",
            "machine-retried",
            "wave-settled",
            "wave-opened",
            "wave-closed",
            "campaign-completed",
            "campaign-forgotten",
            "attempt-cancelling",
            "attempt-admitted");

    private final Fleet fleet;
    private final Findings findings;

    TimerRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    void check(JournalRecord decision) {
        if (!AFTER_TIMERS.contains(decision.event())) {
            return;
        }
        for (String machine : fleet.flights().attempts()) {
            MachineStatus status = fleet.status(machine);
            Attempt attempt = status == null ? null : status.attempt();
            if (status != null && attempt != null && !fleet.isAside(status.site())) {
                findings.require(
                        decision.time() <= attempt.until() + allowance(status, attempt),
                        Invariant.NOTHING_LOST,
                        machine + " attempt " + attempt.number() + " is " + attempt.state()
                                + " past its time, and the orchestrator goes on");
            }
        }
    }

    private long allowance(MachineStatus status, Attempt attempt) {
        if (!attempt.state().equals("unknown")) {
            return attempt.mayHaveCalled() ? 0 : GRACE;
        }
        PolicyRow own = fleet.policy(status.site());
        PolicyRow all = fleet.policy("fleet");
        Long ofSite = own == null ? null : own.lostAfter();
        Long ofFleet = all == null ? null : all.lostAfter();
        return ofSite != null ? ofSite : ofFleet != null ? ofFleet : USUAL_LOST_AFTER;
    }
}
