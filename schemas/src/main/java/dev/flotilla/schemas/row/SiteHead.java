package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the orchestrator stands to a site.
 *
 * @param silentSince when its watcher's heartbeat was missed; null while it is heard
 * @param unreachableSince when its topics could no longer be read or written; null while they can
 * @param inFlight machines in flight there when this was written
 * @param offsets of the site's input topics
 */
public record SiteHead(
        SiteId site,
        @Nullable Instant silentSince,
        @Nullable Instant unreachableSince,
        int inFlight,
        List<Offset> offsets)
        implements Row {
    public SiteHead {
        offsets = List.copyOf(offsets);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.HEAD, site);
    }
}
