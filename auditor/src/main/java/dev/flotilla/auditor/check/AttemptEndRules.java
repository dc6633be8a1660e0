package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.AttemptReport;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Invariants 4 and 5: an attempt ends by a decision that ends it, and by its worker's report about this attempt. */
final class AttemptEndRules {
    /** The worker's report that each event requires. */
    private static final Map<String, String> REPORT_TYPES = Map.of(
            "attempt-succeeded", "succeeded",
            "attempt-failed", "failed",
            "machine-quarantined", "failed",
            "attempt-cancelled", "cancelled",
            "attempt-aborted", "aborted",
            "attempt-lease-expired", "lease-expired",
            "attempt-deferred", "deferred");

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final AttemptHistories attemptHistories;
    private final ExpectedRecords expectedRecords;
    private boolean startChecks;

    AttemptEndRules(
            FleetTables fleetTables,
            AuditFindings auditFindings,
            AttemptHistories attemptHistories,
            ExpectedRecords expectedRecords) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
        this.attemptHistories = attemptHistories;
        this.expectedRecords = expectedRecords;
    }

    /** From now on every record is read before it can be compacted. */
    void startChecks() {
        startChecks = true;
    }

    void checkEnd(
            JournalRecord decision,
            long append,
            MachineStatus before,
            UpgradeAttempt upgradeAttempt,
            @Nullable MachineStatus after) {
        String what = before.id() + " attempt " + upgradeAttempt.id();
        AttemptHistory known = attemptHistories.findHistory(upgradeAttempt.id());
        AttemptHistory history =
                known != null ? known : new AttemptHistory(upgradeAttempt.id(), before.id(), before.uid());
        history.recordRevocation(append);
        attemptHistories.endHistory(history);
        checkCommandDeleted(decision, before.id(), what);
        if (decision.event().equals("attempt-vanished")) {
            checkVanished(decision, before, what);
            return;
        }
        String reportType = REPORT_TYPES.get(decision.event());
        auditFindings.require(
                reportType != null && decision.seq() != upgradeAttempt.id(),
                AuditInvariant.NOTHING_LOST,
                what + " is not open after decision " + decision.seq() + " (" + decision.event()
                        + "), which does not end it");
        RolloutEntry rolloutEntry = after == null ? null : after.entry(upgradeAttempt.rollout());
        boolean success = "succeeded".equals(reportType);
        auditFindings.require(
                success || rolloutEntry == null || !rolloutEntry.isAtTarget() || atTarget(before, upgradeAttempt),
                AuditInvariant.PROOF,
                what + " counts as at its target because of " + decision.event());
        if (reportType == null || (!success && isLost(decision, upgradeAttempt, after))) {
            return;
        }
        expect(decision, history, success ? AuditInvariant.PROOF : AuditInvariant.NOTHING_LOST, reportType, () -> {
            AttemptReport report = history.success;
            return history.reports.contains(reportType)
                    && (!success || (report != null && report.proof().equals(decision.reason())));
        });
    }

    private static boolean atTarget(MachineStatus status, UpgradeAttempt upgradeAttempt) {
        RolloutEntry rolloutEntry = status.entry(upgradeAttempt.rollout());
        return rolloutEntry != null && rolloutEntry.isAtTarget();
    }

    /**
     * The attempt ended without a report: it stayed unknown for too long, or its site was written off. The status of a
     * machine that was replaced meanwhile no longer has the failure, so the decision's reason tells it.
     */
    private static boolean isLost(
            JournalRecord decision, UpgradeAttempt upgradeAttempt, @Nullable MachineStatus after) {
        MachineStatus.AttemptFailure failure = after == null ? null : after.lastFailure();
        String reason =
                failure != null && failure.attemptId() == upgradeAttempt.id() ? failure.reason() : decision.reason();
        return (reason.equals("no-report") && upgradeAttempt.state().equals("unknown")) || reason.equals("written-off");
    }

    /** Checks that the worker reported the step that a decision records. */
    void checkStep(JournalRecord decision, MachineStatus after, UpgradeAttempt upgradeAttempt) {
        AttemptHistory history = attemptHistories.findHistory(upgradeAttempt.id());
        if (history != null) {
            String reportType = "step-reached " + upgradeAttempt.step();
            expect(decision, history, AuditInvariant.ZOMBIE, reportType, () -> history.reports.contains(reportType));
        } else {
            auditFindings.reportUnverified("steps of attempts from before the start of the audit: " + after.site());
        }
    }

    private void expect(
            JournalRecord decision,
            AttemptHistory history,
            AuditInvariant auditInvariant,
            String reportType,
            BooleanSupplier condition) {
        boolean compacted = !startChecks;
        expectedRecords.expectRecord(
                auditInvariant,
                history + ": decision " + decision.seq() + " (" + decision.event() + ") requires the report \""
                        + reportType + "\", which no worker has written",
                decision.seq(),
                decision.time(),
                condition,
                () -> compacted
                        && (auditInvariant == AuditInvariant.ZOMBIE || attemptHistories.mayBeCompacted(history)));
    }

    private void checkCommandDeleted(JournalRecord decision, String machine, String what) {
        boolean deleted = false;
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            deleted |= rowKey.topic().isTable("commands") && rowKey.object().equals(machine) && rowChange.row() == null;
        }
        auditFindings.require(deleted, AuditInvariant.STOP, what + " has ended, but its command was not deleted");
    }

    private void checkVanished(JournalRecord decision, MachineStatus before, String what) {
        MachineRow row = fleetTables.machine(before.id());
        boolean deleted = row == null || !row.uid().equals(before.uid());
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isTable("inventory")
                    && rowKey.isMachine()
                    && rowKey.object().equals(before.id())) {
                deleted = !(rowChange.row() instanceof MachineRow next
                        && next.uid().equals(before.uid()));
            }
        }
        auditFindings.require(
                deleted, AuditInvariant.NOTHING_LOST, what + " ended as vanished, but its machine exists");
    }
}
