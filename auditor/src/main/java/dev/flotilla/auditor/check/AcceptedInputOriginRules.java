package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.TableRow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every input that the journal accepts was really written. Both are compared as the auditor reads them: the
 * journal has the row as the orchestrator encodes it, with defaults filled in.
 */
final class AcceptedInputOriginRules {
    /** Versions of a key that are kept for a journal that is behind. */
    private static final int MAX_VERSIONS = 8;

    private static final class KeyVersions {
        private final Deque<Optional<TableRow>> versions = new ArrayDeque<>();
        private boolean hasForgotten;
    }

    private final AuditFindings auditFindings;
    private final ExpectedRecords expectedRecords;
    private final Map<RowKey, KeyVersions> keys = new HashMap<>();
    private boolean startChecks;

    AcceptedInputOriginRules(AuditFindings auditFindings, ExpectedRecords expectedRecords) {
        this.auditFindings = auditFindings;
        this.expectedRecords = expectedRecords;
    }

    void startChecks() {
        startChecks = true;
    }

    /** Records a row of an input that was read; null for a tombstone. */
    void addInputRow(RowKey rowKey, @Nullable TableRow tableRow) {
        KeyVersions key = keys.computeIfAbsent(rowKey, absent -> new KeyVersions());
        key.versions.add(Optional.ofNullable(tableRow));
        if (key.versions.size() > MAX_VERSIONS) {
            key.versions.remove();
            key.hasForgotten = true;
        }
    }

    void checkDecision(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isInput()) {
                checkAccepted(decision, rowKey, rowChange.row());
            }
        }
    }

    private void checkAccepted(JournalRecord decision, RowKey rowKey, @Nullable TableRow tableRow) {
        boolean seen = isSeen(rowKey, tableRow);
        if (!seen && !startChecks) {
            auditFindings.reportUnverified("accepted inputs that compaction may have removed");
            return;
        }
        expectedRecords.expectRecord(
                AuditInvariant.ZOMBIE,
                "decision " + decision.seq() + " accepts a row of " + rowKey + " that no record has",
                decision.seq(),
                decision.time(),
                () -> isSeen(rowKey, tableRow),
                () -> {
                    KeyVersions key = keys.get(rowKey);
                    return key != null && key.hasForgotten;
                });
    }

    private boolean isSeen(RowKey rowKey, @Nullable TableRow tableRow) {
        KeyVersions key = keys.get(rowKey);
        return key != null && key.versions.contains(Optional.ofNullable(tableRow));
    }
}
