package dev.flotilla.auditor.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as a consumer of committed records gets it.
 *
 * @param appendMillis when the broker took it, by the broker's clock
 * @param key null in the journal
 * @param value null for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // Records are read once and never compared; a copy of each would be the cost.
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

    /** The journal record that says it wrote this one; null where none that can be read does. */
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

    /** Where it stands, for people. */
    public String coordinates() {
        return topic + "/" + partition + "@" + offset;
    }
}
