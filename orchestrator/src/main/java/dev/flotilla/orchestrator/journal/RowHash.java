package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.fleet.StableHash;
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
 * What of a row follows from the journal. Heartbeats that change nothing leave no trace there, and a site's head is
 * stamped at each commit with how far its inputs are read: of these two only what is decided about is compared.
 */
final class RowHash {
    /** Of a key that has no row. */
    static final long NONE = 0;

    private RowHash() {}

    static long hashOf(RowChange rowChange) {
        return switch (rowChange) {
            case Tombstone tombstone -> NONE;
            case WatcherHeartbeat row ->
                digest(new WatcherHeartbeat(
                        row.site(), row.managementUid(), "", Instant.EPOCH, row.withheldRemovals()));
            case SiteHead row -> digest(row.withoutReadPosition());
            default -> digest(rowChange);
        };
    }

    private static long digest(RowChange rowChange) {
        long digest = StableHash.of(rowChange.toString());
        return digest == NONE ? 1 : digest;
    }

    /** The key of an input whose newest record nobody can read, so that its table has no row of it; else null. */
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
