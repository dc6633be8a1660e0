package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;

/** A watcher's word that its site is watched, and how many removals it holds back. */
public record WatcherHeartbeat(String site, String managementUid, long withheldRemovals) implements TableRow {
    static WatcherHeartbeat read(JsonFieldReader row) {
        return new WatcherHeartbeat(row.text("site"), row.text("managementUid"), row.number("withheldRemovals"));
    }
}
