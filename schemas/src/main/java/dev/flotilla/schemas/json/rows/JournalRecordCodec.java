package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import java.util.List;

/** The records of the journal. */
public final class JournalRecordCodec {
    public static final JsonCodec<JournalRecord> RECORD = record();

    private JournalRecordCodec() {}

    private static JsonCodec<JournalRecord> record() {
        var row = JsonObjectCodec.<JournalRecord>of(
                "journal-record",
                "One step of the orchestrator: what came in or fell due, what was decided and why, and the facts that"
                        + " follow.");
        var seq = row.required("seq", ScalarCodecs.SEQ, "The record's place in the journal.", JournalRecord::seq);
        var time = row.required("time", ScalarCodecs.INSTANT, "The decision's instant.", JournalRecord::decidedAt);
        var event = row.required("event", ScalarCodecs.TOKEN, "What happened, by its label.", JournalRecord::event);
        var subject =
                row.required("subject", ScalarCodecs.text(0, 1_024), "What it happened to.", JournalRecord::subject);
        var reason = row.omittedIfDefault(
                "reason", ScalarCodecs.text(0, 2_048), "", "Why, in words.", JournalRecord::reason);
        var facts = row.<List<RowChange>>required(
                "facts",
                new ListCodec<>(new RowChangeCodec(), 10_000),
                "The accepted input row, if there is one, and the rows written.",
                JournalRecord::changes);
        var previous = row.required(
                "previous",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The hash of the record before.",
                JournalRecord::previousHash);
        return row.build(v -> new JournalRecord(
                v.get(seq), v.get(time), v.get(event), v.get(subject), v.get(reason), v.get(facts), v.get(previous)));
    }
}
