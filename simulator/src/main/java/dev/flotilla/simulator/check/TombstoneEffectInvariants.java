package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** A tombstone names nobody and says nothing: it opens nothing that an unreadable record has closed, and lifts no policy. */
final class TombstoneEffectInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    TombstoneEffectInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    /** Before the facts of a decision are put. */
    void check(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            boolean gone = rowChange instanceof Tombstone;
            violationLog.require(
                    !gone
                            || rowChange.rowKey().table() != Table.CAMPAIGN_STATUS
                            || !(rowChange.rowKey().key() instanceof PolicyScope),
                    Invariant.TOMBSTONE,
                    "the policy of " + rowChange.rowKey().key() + " went, and nothing came in its place");
            boolean readable =
                    gone || (rowChange instanceof RejectedRecord rejectedRecord && rejectedRecord.readable());
            if (rowChange.rowKey().key() instanceof RejectedRecordKey key && readable && rows.isUnreadable(key)) {
                RowKey place = place(key);
                violationLog.require(
                        place == null || isWritten(decision, place),
                        Invariant.TOMBSTONE,
                        "what the unreadable record of " + key + " closed was opened by nothing that can be read");
            }
        }
    }

    private static boolean isWritten(Decision decision, RowKey place) {
        return decision.changes().stream()
                .anyMatch(rowChange ->
                        !(rowChange instanceof Tombstone) && rowChange.rowKey().equals(place));
    }

    /** The place of a record that closes something when it cannot be read; null where it is none. */
    private static @Nullable RowKey place(RejectedRecordKey at) {
        Topic topic = Topic.parse(at.topic());
        EntityKey key = topic == null ? null : RecordKeyFormat.parse(topic, at.key());
        boolean closes = key instanceof OperatorOrderKey.FreezeFleet
                || key instanceof OperatorOrderKey.FreezeSite
                || key instanceof OperatorOrderKey.SetCampaignState
                || (topic != null && topic.table() == Table.POLICIES);
        return topic != null && key != null && closes ? new RowKey(topic.table(), key) : null;
    }
}
