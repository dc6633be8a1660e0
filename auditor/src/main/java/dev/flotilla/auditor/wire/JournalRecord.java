package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonParser;
import dev.flotilla.auditor.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** A journal record: one decision. */
public record JournalRecord(
        long seq,
        long time,
        String event,
        String subject,
        String reason,
        List<RowChange> changes,
        String previousHash) {
    /** The events of the journal's chapters. */
    public static final String LEADER_ELECTED = "leader-elected";

    public static final String CHAPTER_STARTED = "chapter-started";

    public static final String CHECKPOINT_PART_WRITTEN = "checkpoint-part-written";
    public static final String CHAPTER_COMPLETED = "chapter-completed";

    /** Whether its rows are those of a chapter's checkpoint, which decide nothing. */
    public boolean isCheckpoint() {
        return event.equals(CHECKPOINT_PART_WRITTEN);
    }

    public static JournalRecord parse(byte[] value) {
        JsonFieldReader record = JsonFieldReader.of(JsonParser.parse(value));
        List<RowChange> changes = new ArrayList<>();
        for (JsonValue item : record.items("changes")) {
            changes.add(RowChange.read(JsonFieldReader.of(item)));
        }
        return new JournalRecord(
                record.number("seq"),
                record.instant("decidedAt"),
                record.text("event"),
                record.text("subject"),
                record.text("reason", ""),
                changes,
                record.text("previousHash"));
    }
}
