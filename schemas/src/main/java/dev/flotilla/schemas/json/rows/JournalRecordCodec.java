package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import java.util.List;

/** JSON codec for journal records. */
final class JournalRecordCodec {
    private JournalRecordCodec() {}

    static JsonCodec<JournalRecord> record(JsonCodec<RowChange> change) {
        var row = JsonObjectCodec.<JournalRecord>of(
                "journal-record", "One decision of the leader: its input, its reason and the rows that it writes.");
        var seq = row.required("seq", ScalarCodecs.SEQ, "The number of the record in the journal.", JournalRecord::seq);
        var decidedAt =
                row.required("decidedAt", ScalarCodecs.INSTANT, "When it was decided.", JournalRecord::decidedAt);
        var event = row.required("event", ScalarCodecs.TOKEN, "The label of the event.", JournalRecord::event);
        var subject = row.required(
                "subject",
                ScalarCodecs.text(0, 1_024),
                "The machine, campaign or other entity that it is about.",
                JournalRecord::subject);
        var reason = row.omittedIfDefault(
                "reason", ScalarCodecs.text(0, 2_048), "", "Why it was decided, as text.", JournalRecord::reason);
        var changes = row.<List<RowChange>>required(
                "changes",
                new ListCodec<>(change, 10_000),
                "The accepted input row, if there is one, and the rows that the decision writes.",
                JournalRecord::changes);
        var previousHash = row.required(
                "previousHash",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The journal hash of the record before.",
                JournalRecord::previousHash);
        return row.build(v -> new JournalRecord(
                v.get(seq),
                v.get(decidedAt),
                v.get(event),
                v.get(subject),
                v.get(reason),
                v.get(changes),
                v.get(previousHash)));
    }
}
