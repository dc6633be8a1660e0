package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;

/** A worker's word about an attempt. */
public record Progress(String id, String uid, long attempt, Report report, long time) implements Row {
    static Progress read(Fields row) {
        return new Progress(
                row.text("site") + "/" + row.text("namespace") + "/" + row.text("name"),
                row.text("uid"),
                row.number("attempt"),
                Report.read(row.in("report")),
                row.instant("time"));
    }
}
