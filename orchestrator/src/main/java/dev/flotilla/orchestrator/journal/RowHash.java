package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The hash of what follows from the journal in a row. Heartbeats that change nothing are not in the journal, and a
 * site's head row is updated at each commit with read positions: of these two, only the content that decisions depend
 * on is hashed.
 */
final class RowHash {
    /** The hash of a key without a row. */
    static final long NONE = 0;

    private RowHash() {}

    static long hashOf(RowChange rowChange) {
        return switch (rowChange) {
            case Tombstone tombstone -> NONE;
            case WatcherHeartbeat row ->
                stableHashOf(new WatcherHeartbeat(
                        row.site(), row.managementUid(), "", Instant.EPOCH, row.withheldRemovals()));
            case SiteHead row -> stableHashOf(row.withoutReadPosition());
            default -> stableHashOf(rowChange);
        };
    }

    private static long stableHashOf(RowChange rowChange) {
        long hash = StableHash.of(rowChange.toString());
        return hash == NONE ? 1 : hash;
    }

    /** The key of an input whose newest record is unreadable, so that its table has no row for it; otherwise null. */
    static @Nullable RowKey closedKey(RowChange rowChange) {
        if (!(rowChange instanceof RejectedRecord rejectedRecord) || rejectedRecord.readable()) {
            return null;
        }
        Topic topic = Topic.parse(rejectedRecord.key().topic());
        EntityKey key = topic == null
                ? null
                : RecordKeyFormat.parse(topic, rejectedRecord.key().key());
        return topic == null || key == null ? null : new RowKey(topic.table(), key);
    }
}
