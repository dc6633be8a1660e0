package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.fleet.Digest;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Topic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What of a row follows from the journal. Heartbeats that change nothing leave no trace there, and a site's head is
 * stamped at each commit with how far its inputs are read: of these two only what is decided about is compared.
 */
final class RowPrint {
    /** Of a key that has no row. */
    static final long NONE = 0;

    private RowPrint() {}

    static long of(Fact fact) {
        return switch (fact) {
            case Gone gone -> NONE;
            case Heartbeat row ->
                digest(new Heartbeat(row.site(), row.managementUid(), "", Instant.EPOCH, row.missing()));
            case SiteHead row -> digest(row.decided());
            default -> digest(fact);
        };
    }

    private static long digest(Fact fact) {
        long digest = Digest.of(fact.toString());
        return digest == NONE ? 1 : digest;
    }

    /** The key of an input whose newest record nobody can read, so that its table has no row of it; else null. */
    static @Nullable RowKey closedBy(Fact fact) {
        if (!(fact instanceof Rejected rejected) || rejected.readable()) {
            return null;
        }
        Topic topic = Topic.parse(rejected.key().topic());
        Key key = topic == null ? null : Keys.parse(topic, rejected.key().key());
        return topic == null || key == null ? null : new RowKey(topic.table(), key);
    }
}
