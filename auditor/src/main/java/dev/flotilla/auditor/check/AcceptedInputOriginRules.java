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
 * What the journal says was accepted is what somebody wrote. Compared by what the auditor itself reads in both: the
 * journal has the row as the orchestrator encodes it, with what was left out filled in.
 */
final class AcceptedInputOriginRules {
    /** So many versions of a key are kept for a journal that is behind. */
    private static final int VERSIONS = 8;

    private static final class OfKey {
        private final Deque<Optional<TableRow>> versions = new ArrayDeque<>();
        private boolean forgetful;
    }

    private final AuditFindings auditFindings;
    private final ExpectedRecords expectedRecords;
    private final Map<RowKey, OfKey> keys = new HashMap<>();
    private boolean startChecks;

    AcceptedInputOriginRules(AuditFindings auditFindings, ExpectedRecords expectedRecords) {
        this.auditFindings = auditFindings;
        this.expectedRecords = expectedRecords;
    }

    void startChecks() {
        startChecks = true;
    }

    /** A row of an input was read; null for a tombstone. */
    void addInputRow(RowKey rowKey, @Nullable TableRow tableRow) {
        OfKey key = keys.computeIfAbsent(rowKey, absent -> new OfKey());
        key.versions.add(Optional.ofNullable(tableRow));
        if (key.versions.size() > VERSIONS) {
            key.versions.remove();
            key.forgetful = true;
        }
    }

    void checkDecision(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isInput()) {
                accepted(decision, rowKey, rowChange.row());
            }
        }
    }

    private void accepted(JournalRecord decision, RowKey rowKey, @Nullable TableRow tableRow) {
        boolean seen = isSeen(rowKey, tableRow);
        if (!seen && !startChecks) {
            auditFindings.reportUnverified("accepted inputs that compaction may have taken");
            return;
        }
        expectedRecords.expectRecord(
                AuditInvariant.ZOMBIE,
                "decision " + decision.seq() + " accepts a row of " + rowKey + " that nobody has written",
                decision.seq(),
                decision.time(),
                () -> isSeen(rowKey, tableRow),
                () -> {
                    OfKey key = keys.get(rowKey);
                    return key != null && key.forgetful;
                });
    }

    private boolean isSeen(RowKey rowKey, @Nullable TableRow tableRow) {
        OfKey key = keys.get(rowKey);
        return key != null && key.versions.contains(Optional.ofNullable(tableRow));
    }
}
