package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;

/** A watcher's heartbeat for its site, with the number of withheld removals. */
public record WatcherHeartbeat(String site, String managementUid, long withheldRemovals) implements TableRow {
    static WatcherHeartbeat read(JsonFieldReader row) {
        return new WatcherHeartbeat(row.text("site"), row.text("managementUid"), row.number("withheldRemovals"));
    }
}
