package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;

/** The row with a worker's report about an attempt. */
public record AttemptProgress(String id, String uid, long attemptId, AttemptReport report, long time)
        implements TableRow {
    static AttemptProgress read(JsonFieldReader row) {
        return new AttemptProgress(
                row.text("site") + "/" + row.text("namespace") + "/" + row.text("name"),
                row.text("uid"),
                row.number("attemptId"),
                AttemptReport.read(row.child("report")),
                row.instant("reportedAt"));
    }
}
