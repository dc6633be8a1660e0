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

/** Invariants 4 and 5: an attempt ends by a decision that says so, and by its worker's word about this very attempt. */
final class AttemptEndRules {
    /** Which word of the worker each event needs. */
    private static final Map<String, String> WORDS = Map.of(
            "attempt-succeeded", "succeeded",
            "attempt-failed", "failed",
            "machine-quarantined", "failed",
            "attempt-cancelled", "cancelled",
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

    /** From here on nothing can have been compacted before it was read. */
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
        AttemptHistory book =
                known != null ? known : new AttemptHistory(upgradeAttempt.id(), before.id(), before.uid());
        book.recordWithdrawal(append);
        attemptHistories.endHistory(book);
        commandGoes(decision, before.id(), what);
        if (decision.event().equals("attempt-vanished")) {
            vanished(decision, before, what);
            return;
        }
        String word = WORDS.get(decision.event());
        auditFindings.require(
                word != null && decision.seq() != upgradeAttempt.id(),
                AuditInvariant.NOTHING_LOST,
                what + " is open no more after decision " + decision.seq() + " (" + decision.event()
                        + "), which does not end it");
        RolloutEntry rolloutEntry = after == null ? null : after.entry(upgradeAttempt.rollout());
        boolean success = "succeeded".equals(word);
        auditFindings.require(
                success || rolloutEntry == null || !rolloutEntry.isAtTarget() || atTarget(before, upgradeAttempt),
                AuditInvariant.PROOF,
                what + " is at its target by " + decision.event());
        if (word == null || (!success && isLost(upgradeAttempt, after))) {
            return;
        }
        expect(decision, book, success ? AuditInvariant.PROOF : AuditInvariant.NOTHING_LOST, word, () -> {
            AttemptReport told = book.success;
            return book.said.contains(word)
                    && (!success || (told != null && told.proof().equals(decision.reason())));
        });
    }

    private static boolean atTarget(MachineStatus status, UpgradeAttempt upgradeAttempt) {
        RolloutEntry rolloutEntry = status.entry(upgradeAttempt.rollout());
        return rolloutEntry != null && rolloutEntry.isAtTarget();
    }

    /** Nobody's word: it was waited for long enough, or its site was given up. */
    private static boolean isLost(UpgradeAttempt upgradeAttempt, @Nullable MachineStatus after) {
        MachineStatus.AttemptFailure attemptFailure = after == null ? null : after.lastFailure();
        return attemptFailure != null
                && attemptFailure.attemptId() == upgradeAttempt.id()
                && ((attemptFailure.reason().equals("no-report")
                                && upgradeAttempt.state().equals("unknown"))
                        || attemptFailure.reason().equals("written-off"));
    }

    /** A step that the journal takes over must have been told. */
    void checkStep(JournalRecord decision, MachineStatus after, UpgradeAttempt upgradeAttempt) {
        AttemptHistory book = attemptHistories.findHistory(upgradeAttempt.id());
        if (book != null) {
            String word = "step-reached " + upgradeAttempt.step();
            expect(decision, book, AuditInvariant.ZOMBIE, word, () -> book.said.contains(word));
        } else {
            auditFindings.reportUnverified("steps of attempts from before the base: " + after.site());
        }
    }

    private void expect(
            JournalRecord decision,
            AttemptHistory book,
            AuditInvariant auditInvariant,
            String word,
            BooleanSupplier settled) {
        boolean compacted = !startChecks;
        expectedRecords.expectRecord(
                auditInvariant,
                book + ": decision " + decision.seq() + " (" + decision.event() + ") goes by the word \"" + word
                        + "\", which no worker has said",
                decision.seq(),
                decision.time(),
                settled,
                () -> compacted && (auditInvariant == AuditInvariant.ZOMBIE || attemptHistories.mayBeCompacted(book)));
    }

    private void commandGoes(JournalRecord decision, String machine, String what) {
        boolean gone = false;
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            gone |= rowKey.topic().isTable("commands") && rowKey.object().equals(machine) && rowChange.row() == null;
        }
        auditFindings.require(gone, AuditInvariant.STOP, what + " has ended, and its command stays");
    }

    private void vanished(JournalRecord decision, MachineStatus before, String what) {
        MachineRow row = fleetTables.machine(before.id());
        boolean gone = row == null || !row.uid().equals(before.uid());
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isTable("inventory")
                    && rowKey.isMachine()
                    && rowKey.object().equals(before.id())) {
                gone = !(rowChange.row() instanceof MachineRow next
                        && next.uid().equals(before.uid()));
            }
        }
        auditFindings.require(
                gone, AuditInvariant.NOTHING_LOST, what + " is said to have vanished, and its machine is there");
    }
}
