package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonParser;
import dev.flotilla.auditor.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** One decision. */
public record JournalRecord(
        long seq,
        long time,
        String event,
        String subject,
        String reason,
        List<RowChange> changes,
        String previousHash) {
    /** The events of the journal's chapters. */
    public static final String TOOK_OVER = "took-over";

    public static final String CHAPTER_BEGUN = "chapter-begun";

    public static final String CHECKPOINTED = "checkpointed";
    public static final String CHAPTER_COMPLETED = "chapter-completed";

    /** Whether its facts are rows that stood when a chapter began: by them nothing is decided. */
    public boolean isCheckpoint() {
        return event.equals(CHECKPOINTED);
    }

    public static JournalRecord parse(byte[] value) {
        JsonFieldReader record = JsonFieldReader.of(JsonParser.parse(value));
        List<RowChange> facts = new ArrayList<>();
        for (JsonValue item : record.items("facts")) {
            facts.add(RowChange.read(JsonFieldReader.of(item)));
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
