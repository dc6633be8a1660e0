package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.JournalRecord;
import java.util.List;

/** The records of the journal. */
public final class JournalCodec {
    public static final Codec<JournalRecord> RECORD = record();

    private JournalCodec() {}

    private static Codec<JournalRecord> record() {
        var row = RecordCodec.<JournalRecord>of(
                "journal-record",
                "One step of the orchestrator: what came in or fell due, what was decided and why, and the facts that"
                        + " follow.");
        var seq = row.required("seq", Scalars.SEQ, "The record's place in the journal.", JournalRecord::seq);
        var time = row.required("time", Scalars.INSTANT, "The decision's instant.", JournalRecord::time);
        var event = row.required("event", Scalars.TOKEN, "What happened, by its label.", JournalRecord::event);
        var subject = row.required("subject", Scalars.text(0, 1_024), "What it happened to.", JournalRecord::subject);
        var reason = row.usual("reason", Scalars.text(0, 2_048), "", "Why, in words.", JournalRecord::reason);
        var facts = row.<List<Fact>>required(
                "facts",
                new Lists<>(new FactCodec(), 10_000),
                "The accepted input row, if there is one, and the rows written.",
                JournalRecord::facts);
        var previous = row.required(
                "previous",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The hash of the record before.",
                JournalRecord::previous);
        return row.build(v -> new JournalRecord(
                v.get(seq), v.get(time), v.get(event), v.get(subject), v.get(reason), v.get(facts), v.get(previous)));
    }
}
