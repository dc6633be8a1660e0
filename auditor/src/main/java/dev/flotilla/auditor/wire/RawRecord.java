package dev.flotilla.auditor.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as a consumer of committed records gets it.
 *
 * @param appendMillis append time by the broker's clock
 * @param key null in the journal
 * @param value null for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // Records are read once and never compared; copying each would cost too much.
public record RawRecord(
        String topic,
        int partition,
        long offset,
        long appendMillis,
        @Nullable String key,
        Map<String, String> headers,
        byte @Nullable [] value) {
    public static final String SEQ = "seq";

    public RawRecord {
        headers = Map.copyOf(headers);
    }

    /**
     * The number of the decision that wrote the record, from its header; null if the header is missing or unreadable.
     */
    public @Nullable Long seq() {
        String text = headers.get(SEQ);
        if (text == null || text.isEmpty() || text.length() > 18) {
            return null;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return null;
            }
        }
        return Long.valueOf(text);
    }

    /** Its topic, partition and offset, as text. */
    public String coordinates() {
        return topic + "/" + partition + "@" + offset;
    }
}
