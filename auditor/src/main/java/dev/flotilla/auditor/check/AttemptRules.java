package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks how an attempt starts and continues in the journal: its id, its command, its cancellation.
 * {@link AttemptEndRules} checks its end.
 */
final class AttemptRules {
    /** No command lease lasts longer than this after its decision. */
    private static final long MAX_LEASE = 15 * 60_000L;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final AttemptHistories attemptHistories;
    private final AttemptEndRules ends;
    private final CapRules caps;
    private final FailureBudgetRules budgets;
    private final ClusterOrderRules clusters;
    private final StartGateRules gates;
    private final MaintenanceWindowRules windows;
    private final FailureCohortRules cohorts;
    private final VersionSkewRules versions;
    private final CancellationRules cancellations;
    private final FulfilledIntentRules fulfilled;

    AttemptRules(
            FleetTables fleetTables,
            AuditFindings auditFindings,
            AttemptHistories attemptHistories,
            AttemptEndRules ends,
            OperatorOrderRules orders) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
        this.attemptHistories = attemptHistories;
        this.ends = ends;
        this.caps = new CapRules(fleetTables, auditFindings);
        this.budgets = new FailureBudgetRules(fleetTables, auditFindings);
        this.clusters = new ClusterOrderRules(fleetTables, auditFindings);
        this.gates = new StartGateRules(fleetTables, auditFindings, orders);
        this.windows = new MaintenanceWindowRules(fleetTables, auditFindings);
        this.cohorts = new FailureCohortRules(fleetTables, auditFindings);
        this.versions = new VersionSkewRules(fleetTables, auditFindings);
        this.cancellations = new CancellationRules(fleetTables, auditFindings);
        this.fulfilled = new FulfilledIntentRules(fleetTables, auditFindings);
    }

    /** Checks everything that a decision says about machines, on the rows before it. */
    void check(JournalRecord decision, long append) {
        boolean admitted = false;
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isTable("status") && rowKey.isMachine()) {
                MachineStatus after = rowChange.row() instanceof MachineStatus status ? status : null;
                admitted |= checkStatus(decision, append, rowKey, after);
            }
        }
        auditFindings.require(
                admitted == decision.event().equals("attempt-admitted"),
                AuditInvariant.JOURNAL,
                "decision " + decision.seq() + " (" + decision.event() + ")"
                        + (admitted ? " starts an attempt" : " starts none"));
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof WorkerCommand workerCommand) {
                checkCommand(decision, append, workerCommand);
            }
        }
    }

    private boolean checkStatus(JournalRecord decision, long append, RowKey rowKey, @Nullable MachineStatus after) {
        MachineStatus before = fleetTables.status(rowKey.object());
        UpgradeAttempt previous = before == null ? null : before.attempt();
        UpgradeAttempt current = after == null ? null : after.attempt();
        if (before != null && previous != null && (current == null || current.id() != previous.id())) {
            ends.checkEnd(decision, append, before, previous, after);
        }
        if (after != null) {
            clusters.recordClusterSoak(after, decision.time());
            fulfilled.check(decision, before, after);
        }
        if (after == null || current == null) {
            return false;
        }
        if (previous != null && previous.id() == current.id()) {
            checkContinuation(decision, after, previous, current);
            return false;
        }
        auditFindings.require(
                current.id() == decision.seq(),
                AuditInvariant.JOURNAL,
                after.id() + " has attempt " + current.id() + ", which decision " + decision.seq() + " did not admit");
        auditFindings.require(
                previous == null,
                AuditInvariant.NOTHING_LOST,
                after.id() + " starts attempt " + current.id() + " while another is open");
        checkStart(decision, before, after, current);
        return true;
    }

    private void checkStart(
            JournalRecord decision,
            @Nullable MachineStatus before,
            MachineStatus after,
            UpgradeAttempt upgradeAttempt) {
        AttemptHistory history = new AttemptHistory(upgradeAttempt.id(), after.id(), after.uid());
        attemptHistories.openHistory(history);
        MachineRow machine = fleetTables.machine(after.id());
        auditFindings.require(
                machine != null, AuditInvariant.GATES, after.id() + " started: a machine without an inventory row");
        if (machine != null) {
            StartDecision startDecision = new StartDecision(
                    machine,
                    after,
                    upgradeAttempt,
                    before,
                    fleetTables.campaign(upgradeAttempt.rollout()),
                    decision.time());
            checkSnapshot(machine, upgradeAttempt);
            caps.check(startDecision);
            budgets.check(startDecision);
            clusters.check(startDecision);
            gates.check(startDecision);
            cohorts.check(startDecision);
            versions.check(startDecision);
            fulfilled.checkStart(startDecision);
            windows.check(
                    startDecision,
                    commandOf(decision, after.id()) instanceof WorkerCommand.UpgradeMachine upgradeMachine
                            ? upgradeMachine
                            : null);
        }
        auditFindings.require(
                commandOf(decision, after.id()) instanceof WorkerCommand.UpgradeMachine upgradeMachine
                        && upgradeMachine.attemptId() == upgradeAttempt.id()
                        && upgradeMachine.uid().equals(after.uid())
                        && upgradeMachine.target().equals(upgradeAttempt.target()),
                AuditInvariant.JOURNAL,
                after.id() + " starts attempt " + upgradeAttempt.id() + " without its command");
    }

    private void checkSnapshot(MachineRow machine, UpgradeAttempt upgradeAttempt) {
        UpgradeAttempt.AttemptMachineSnapshot snapshot = upgradeAttempt.machine();
        auditFindings.require(
                snapshot == null
                        || (machine.cluster().endsWith("/" + snapshot.cluster())
                                && machine.controlPlane() == snapshot.controlPlane()),
                AuditInvariant.CLUSTER,
                machine.id() + " started in cluster " + machine.cluster() + ", but its attempt has " + snapshot);
    }

    private void checkContinuation(
            JournalRecord decision, MachineStatus after, UpgradeAttempt previous, UpgradeAttempt current) {
        auditFindings.require(
                current.rollout().equals(previous.rollout()) && current.target().equals(previous.target()),
                AuditInvariant.JOURNAL,
                after.id() + " attempt " + current.id() + " changes its rollout or its target");
        auditFindings.require(
                Objects.equals(current.machine(), previous.machine()),
                AuditInvariant.JOURNAL,
                after.id() + " attempt " + current.id() + " changes the cluster or role with which it was admitted");
        auditFindings.require(
                current.cancelled() || !previous.cancelled(),
                AuditInvariant.STOP,
                after.id() + " attempt " + current.id() + " may call again after it was cancelled");
        if (current.cancelled() && !previous.cancelled()) {
            cancellations.check(after, previous);
            auditFindings.require(
                    commandOf(decision, after.id()) instanceof WorkerCommand.CancelUpgrade cancelUpgrade
                            && cancelUpgrade.attemptId() == current.id(),
                    AuditInvariant.STOP,
                    after.id() + " attempt " + current.id() + " is cancelled, but its worker gets no command");
        }
        if (decision.event().equals("attempt-step-reached")) {
            ends.checkStep(decision, after, current);
        }
        if (decision.event().equals("attempt-renewed")) {
            auditFindings.require(
                    !current.cancelled() && !current.mayHaveCalled() && !fleetTables.isFrozen(after.site()),
                    AuditInvariant.STOP,
                    after.id() + " attempt " + current.id() + " is renewed although it must stop");
        }
    }

    private void checkCommand(JournalRecord decision, long append, WorkerCommand workerCommand) {
        AttemptHistory history = attemptHistories.findHistory(workerCommand.attemptId());
        if (history == null) {
            if (attemptHistories.isForgotten(workerCommand.attemptId())) {
                auditFindings.reportUnverified("commands of attempts from before the start of the audit");
            } else {
                auditFindings.reportViolation(
                        AuditInvariant.ZOMBIE,
                        workerCommand.id() + " has a command for attempt " + workerCommand.attemptId()
                                + ", which no decision admitted");
            }
            return;
        }
        auditFindings.require(
                history.machine.equals(workerCommand.id()),
                AuditInvariant.ZOMBIE,
                workerCommand.id() + " has a command for attempt " + history.id + " of " + history.machine);
        if (workerCommand instanceof WorkerCommand.UpgradeMachine upgradeMachine) {
            auditFindings.require(
                    upgradeMachine.leaseExpiresAt() - decision.time() <= MAX_LEASE,
                    AuditInvariant.STOP,
                    history + " may be called for " + (upgradeMachine.leaseExpiresAt() - decision.time()) / 1000
                            + " s, which is longer than any command lease");
            history.recordCommand(upgradeMachine);
        } else if (workerCommand instanceof WorkerCommand.CancelUpgrade) {
            history.recordRevocation(append);
        }
    }

    private static @Nullable WorkerCommand commandOf(JournalRecord decision, String machine) {
        WorkerCommand found = null;
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof WorkerCommand workerCommand
                    && workerCommand.id().equals(machine)) {
                found = workerCommand;
            }
        }
        return found;
    }
}
