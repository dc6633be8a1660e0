package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.json.JsonParser;
import java.util.ArrayList;
import java.util.List;

/** One decision. */
public record JournalRecord(
        long seq, long time, String event, String subject, String reason, List<Fact> facts, String previous) {
    public static JournalRecord parse(byte[] value) {
        Fields record = Fields.of(JsonParser.parse(value));
        List<Fact> facts = new ArrayList<>();
        for (Json item : record.items("facts")) {
            facts.add(Fact.read(Fields.of(item)));
        }
        return new JournalRecord(
                record.number("seq"),
                record.instant("time"),
                record.text("event"),
                record.text("subject"),
                record.text("reason", ""),
                facts,
                record.text("previous"));
    }
}
