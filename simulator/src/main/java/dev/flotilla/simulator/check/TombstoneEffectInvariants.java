package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/**
 * A tombstone has no author and no content: it opens nothing that an unreadable record has closed, and it removes no
 * policy.
 */
final class TombstoneEffectInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    TombstoneEffectInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    /** Checks a decision before its row changes are put. */
    void check(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            boolean isTombstone = rowChange instanceof Tombstone;
            violationLog.require(
                    !isTombstone
                            || rowChange.rowKey().table() != Table.CAMPAIGN_STATUS
                            || !(rowChange.rowKey().key() instanceof PolicyScope),
                    Invariant.TOMBSTONE,
                    "the policy of " + rowChange.rowKey().key() + " was deleted without a successor");
            boolean readable =
                    isTombstone || (rowChange instanceof RejectedRecord rejectedRecord && rejectedRecord.readable());
            if (rowChange.rowKey().key() instanceof RejectedRecordKey key
                    && readable
                    && rows.unreadableRecords().contains(key)) {
                RowKey row = closingRow(key);
                violationLog.require(
                        row == null || isWritten(decision, row),
                        Invariant.TOMBSTONE,
                        "what the unreadable record of " + key + " closed was opened without a readable record");
            }
        }
    }

    private static boolean isWritten(Decision decision, RowKey row) {
        return decision.changes().stream()
                .anyMatch(rowChange ->
                        !(rowChange instanceof Tombstone) && rowChange.rowKey().equals(row));
    }

    /** The row of a record that closes something while it is unreadable; null for other records. */
    private static @Nullable RowKey closingRow(RejectedRecordKey at) {
        Topic topic = Topic.parse(at.topic());
        EntityKey key = topic == null ? null : RecordKeyFormat.parse(topic, at.key());
        boolean closes = key instanceof OperatorOrderKey.FreezeFleet
                || key instanceof OperatorOrderKey.FreezeSite
                || key instanceof OperatorOrderKey.SetCampaignState
                || (topic != null && topic.table() == Table.POLICIES);
        return topic != null && key != null && closes ? new RowKey(topic.table(), key) : null;
    }
}
