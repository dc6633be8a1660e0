package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/**
 * Rules about machines that count as at the target of a rollout that has made no attempt: only an attempt of another rollout to the hash
 * that the machine's UpgradeTask names fulfils that task too, when it succeeds or, if it was the last one, when the task is created.
 */
final class FulfilledIntentRules {
    private static final String SPEC = "spec=";
    private static final String RELEASE = "version=";

    /** How many entries a status has at most: a task that finds no room waits. */
    private static final int MAX_ENTRIES = 8;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    FulfilledIntentRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** Checks the entries of a status that a decision changes, on the rows before it. */
    void check(JournalRecord decision, @Nullable MachineStatus before, MachineStatus after) {
        UpgradeAttempt ended = before == null ? null : before.attempt();
        UpgradeIntent task = decision.event().equals("intent-changed")
                ? reachedTask(decision, before)
                : ended == null ? null : fulfilledTask(decision, after, ended);
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
                task == null
                        || (entry != null && entry.isAtTarget())
                        || (entry == null && after.entries().size() >= MAX_ENTRIES),
                AuditInvariant.NOTHING_LOST,
                after.id() + " is what its UpgradeTask asks for, and does not count as at the task's target");
    }

    /** Checks that no machine starts for a task whose hash it has reached already: no node shows that, and it would be upgraded again. */
    void checkStart(StartDecision start) {
        UpgradeIntent task = fleetTables.membership().taskIntent(start.machine());
        MachineStatus before = start.previousStatus();
        auditFindings.require(
                task == null
                        || before == null
                        || !task.target().equals(start.attempt().target())
                        || !hasReached(start.machine(), before, task),
                AuditInvariant.GATES,
                start.machine().id() + " started although it was upgraded to "
                        + start.attempt().target() + " last");
    }

    /** The task whose hash its machine has reached already, when a decision accepts it or would start the machine; null for none. */
    private @Nullable UpgradeIntent reachedTask(JournalRecord decision, @Nullable MachineStatus before) {
        MachineRow machine = before == null ? null : fleetTables.machine(before.id());
        if (before == null || machine == null) {
            return null;
        }
        UpgradeIntent task = decision.changes().stream()
                .map(RowChange::row)
                .filter(UpgradeIntent.class::isInstance)
                .map(UpgradeIntent.class::cast)
                .findFirst()
                .orElse(fleetTables.membership().taskIntent(machine));
        UpgradeAttempt open = before.attempt();
        boolean changesNothing = open == null
                || (task != null
                        && open.rollout() instanceof RolloutRef.CampaignRef
                        && open.target().equals(RELEASE + task.expectedVersion()));
        return task != null && changesNothing && task.isOfTask() && hasReached(machine, before, task) ? task : null;
    }

    private static boolean hasReached(MachineRow machine, MachineStatus before, UpgradeIntent task) {
        return task.target().startsWith(SPEC)
                && task.uid().equals(machine.uid())
                && task.uid().equals(before.uid())
                && (task.expectedVersion() == null || task.expectedVersion().equals(machine.kubeletVersion()))
                && hasReached(before, task.target(), RELEASE + task.expectedVersion());
    }

    private static boolean hasReached(MachineStatus status, String hash, String version) {
        RolloutEntry latest = null;
        boolean isReached = false;
        for (RolloutEntry entry : status.entries()) {
            latest = entry.target() == null ? latest : entry;
            isReached |= entry.isAtTarget() && hash.equals(entry.target());
        }
        return isReached
                && latest != null
                && (latest.rollout() instanceof RolloutRef.CampaignRef
                        ? version.equals(latest.target())
                                && !latest.isQuarantined()
                                && (latest.hasEnded() || latest.failedAttempts() == 0)
                        : latest.isAtTarget() && hash.equals(latest.target()));
    }

    /** The task whose hash an attempt of another rollout that succeeds had as its target; null for none. */
    private @Nullable UpgradeIntent fulfilledTask(JournalRecord decision, MachineStatus after, UpgradeAttempt ended) {
        MachineRow machine = fleetTables.machine(after.id());
        UpgradeIntent task = machine == null ? null : fleetTables.membership().taskIntent(machine);
        return task != null
                        && decision.event().equals("attempt-succeeded")
                        && after.attempt() == null
                        && !ended.rollout().equals(task.rollout())
                        && ended.target().startsWith(SPEC)
                        && task.target().equals(ended.target())
                ? task
                : null;
    }
}
