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

/** How an attempt begins and goes on in the journal: its number, its command, its cancelling. {@link AttemptEndRules} ends it. */
final class AttemptRules {
    /** No command lasts longer than this from its decision. */
    private static final long LONGEST_COMMAND = 15 * 60_000L;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final AttemptHistories attemptHistories;
    private final AttemptEndRules ends;
    private final CapAndBudgetRules caps;
    private final ClusterOrderRules clusters;
    private final StartGateRules gates;
    private final MaintenanceWindowRules windows;
    private final FailureCohortRules cohorts;
    private final VersionSkewRules versions;

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
        this.caps = new CapAndBudgetRules(fleetTables, auditFindings);
        this.clusters = new ClusterOrderRules(fleetTables, auditFindings);
        this.gates = new StartGateRules(fleetTables, auditFindings, orders);
        this.windows = new MaintenanceWindowRules(fleetTables, auditFindings);
        this.cohorts = new FailureCohortRules(fleetTables, auditFindings);
        this.versions = new VersionSkewRules(fleetTables, auditFindings);
    }

    /** Looks at all that a decision says of machines, on the rows before it. */
    void check(JournalRecord decision, long append) {
        boolean admitted = false;
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isTable("status") && rowKey.isMachine()) {
                MachineStatus after = rowChange.row() instanceof MachineStatus status ? status : null;
                admitted |= status(decision, append, rowKey, after);
            }
        }
        auditFindings.require(
                admitted == decision.event().equals("attempt-admitted"),
                AuditInvariant.JOURNAL,
                "decision " + decision.seq() + " (" + decision.event() + ")"
                        + (admitted ? " starts an attempt" : " starts none"));
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof WorkerCommand workerCommand) {
                command(decision, append, workerCommand);
            }
        }
    }

    private boolean status(JournalRecord decision, long append, RowKey rowKey, @Nullable MachineStatus after) {
        MachineStatus before = fleetTables.status(rowKey.object());
        UpgradeAttempt was = before == null ? null : before.attempt();
        UpgradeAttempt is = after == null ? null : after.attempt();
        if (before != null && was != null && (is == null || is.id() != was.id())) {
            ends.checkEnd(decision, append, before, was, after);
        }
        if (after != null) {
            clusters.recordClusterSoak(after, decision.time());
        }
        if (after == null || is == null) {
            return false;
        }
        if (was != null && was.id() == is.id()) {
            goesOn(decision, after, was, is);
            return false;
        }
        auditFindings.require(
                is.id() == decision.seq(),
                AuditInvariant.JOURNAL,
                after.id() + " has attempt " + is.id() + ", which decision " + decision.seq() + " never admitted");
        auditFindings.require(
                was == null,
                AuditInvariant.NOTHING_LOST,
                after.id() + " starts attempt " + is.id() + " while another is open");
        starts(decision, before, after, is);
        return true;
    }

    private void starts(
            JournalRecord decision,
            @Nullable MachineStatus before,
            MachineStatus after,
            UpgradeAttempt upgradeAttempt) {
        AttemptHistory book = new AttemptHistory(upgradeAttempt.id(), after.id(), after.uid());
        attemptHistories.openHistory(book);
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
            admitted(machine, upgradeAttempt);
            caps.check(startDecision);
            clusters.check(startDecision);
            gates.check(startDecision);
            cohorts.check(startDecision);
            versions.check(startDecision);
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

    private void admitted(MachineRow machine, UpgradeAttempt upgradeAttempt) {
        UpgradeAttempt.AttemptMachineSnapshot noted = upgradeAttempt.machine();
        auditFindings.require(
                noted == null
                        || (machine.cluster().endsWith("/" + noted.cluster())
                                && machine.controlPlane() == noted.controlPlane()),
                AuditInvariant.CLUSTER,
                machine.id() + " started in cluster " + machine.cluster() + ", and its attempt says " + noted);
    }

    private void goesOn(JournalRecord decision, MachineStatus after, UpgradeAttempt was, UpgradeAttempt is) {
        auditFindings.require(
                is.rollout().equals(was.rollout()) && is.target().equals(was.target()),
                AuditInvariant.JOURNAL,
                after.id() + " attempt " + is.id() + " changes what drives it, or its target");
        auditFindings.require(
                Objects.equals(is.machine(), was.machine()),
                AuditInvariant.JOURNAL,
                after.id() + " attempt " + is.id() + " changes the cluster or role that it was admitted in");
        auditFindings.require(
                is.cancelled() || !was.cancelled(),
                AuditInvariant.STOP,
                after.id() + " attempt " + is.id() + " may call again after it was cancelled");
        if (is.cancelled() && !was.cancelled()) {
            auditFindings.require(
                    commandOf(decision, after.id()) instanceof WorkerCommand.CancelUpgrade cancelUpgrade
                            && cancelUpgrade.attemptId() == is.id(),
                    AuditInvariant.STOP,
                    after.id() + " attempt " + is.id() + " is cancelled and its worker is not told");
        }
        if (decision.event().equals("attempt-step-reached")) {
            ends.checkStep(decision, after, is);
        }
        if (decision.event().equals("attempt-renewed")) {
            auditFindings.require(
                    !is.cancelled() && !is.mayHaveCalled() && !fleetTables.isFrozen(after.site()),
                    AuditInvariant.STOP,
                    after.id() + " attempt " + is.id() + " is renewed while it is stopped");
        }
    }

    private void command(JournalRecord decision, long append, WorkerCommand workerCommand) {
        AttemptHistory book = attemptHistories.findHistory(workerCommand.attemptId());
        if (book == null) {
            if (attemptHistories.isForgotten(workerCommand.attemptId())) {
                auditFindings.reportUnverified("commands of attempts from before the base");
            } else {
                auditFindings.reportViolation(
                        AuditInvariant.ZOMBIE,
                        workerCommand.id() + " is told about attempt " + workerCommand.attemptId()
                                + ", which nobody admitted");
            }
            return;
        }
        auditFindings.require(
                book.machine.equals(workerCommand.id()),
                AuditInvariant.ZOMBIE,
                workerCommand.id() + " is told about attempt " + book.number + " of " + book.machine);
        if (workerCommand instanceof WorkerCommand.UpgradeMachine upgradeMachine) {
            auditFindings.require(
                    upgradeMachine.leaseExpiresAt() - decision.time() <= LONGEST_COMMAND,
                    AuditInvariant.STOP,
                    book + " may be called for " + (upgradeMachine.leaseExpiresAt() - decision.time()) / 1000
                            + " s, longer than any command lasts");
            book.recordCommand(upgradeMachine);
        } else {
            book.recordWithdrawal(append);
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
