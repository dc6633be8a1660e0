package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;

/** A watcher's word that its site is watched, and how many removals it holds back. */
public record Heartbeat(String site, String managementUid, long missing) implements Row {
    static Heartbeat read(Fields row) {
        return new Heartbeat(row.text("site"), row.text("managementUid"), row.number("missing"));
    }
}
