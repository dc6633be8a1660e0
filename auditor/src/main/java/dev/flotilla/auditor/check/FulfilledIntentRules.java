package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/**
 * Rules about machines that count as at the target of a rollout that has made no attempt: only the success of a campaign's attempt to
 * the hash that the machine's UpgradeTask names fulfils that task too.
 */
final class FulfilledIntentRules {
    private static final String SPEC = "spec=";

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    FulfilledIntentRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** Checks the entries of a status that a decision changes, on the rows before it. */
    void check(JournalRecord decision, @Nullable MachineStatus before, MachineStatus after) {
        UpgradeAttempt ended = before == null ? null : before.attempt();
        UpgradeIntent task = ended == null ? null : fulfilledTask(decision, after, ended);
        for (RolloutEntry entry : after.entries()) {
            RolloutEntry known = before == null ? null : before.entry(entry.rollout());
            boolean isNew = entry.isAtTarget() && (known == null || !known.isAtTarget());
            boolean isOfAttempt = ended != null && ended.rollout().equals(entry.rollout());
            boolean isOfTask = task != null && task.rollout().equals(entry.rollout());
            auditFindings.require(
                    !isNew || isOfAttempt || isOfTask,
                    AuditInvariant.PROOF,
                    after.id() + " counts as at its target for " + entry.rollout() + ", which made no attempt");
        }
        RolloutEntry entry = task == null ? null : after.entry(task.rollout());
        auditFindings.require(
                task == null || (entry != null && entry.isAtTarget()),
                AuditInvariant.NOTHING_LOST,
                after.id() + " is what its UpgradeTask asks for, and does not count as at the task's target");
    }

    /** The task whose hash a campaign's attempt that succeeds had as its target; null for none. */
    private @Nullable UpgradeIntent fulfilledTask(JournalRecord decision, MachineStatus after, UpgradeAttempt ended) {
        MachineRow machine = fleetTables.machine(after.id());
        UpgradeIntent task = machine == null ? null : fleetTables.membership().taskIntent(machine);
        return task != null
                        && decision.event().equals("attempt-succeeded")
                        && after.attempt() == null
                        && ended.rollout() instanceof RolloutRef.CampaignRef
                        && ended.target().startsWith(SPEC)
                        && task.target().equals(ended.target())
                ? task
                : null;
    }
}
