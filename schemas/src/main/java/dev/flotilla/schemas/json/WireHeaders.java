package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.rows.RowType;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a Kafka record, as text; each is null if the record has no such header.
 *
 * @param type the type of the row in the value
 * @param schemaVersion the version of the row's form
 * @param seq on the orchestrator's rows, the seq of the journal record of the decision that wrote them
 * @param traceparent the W3C trace context of the attempt that the record belongs to. Nothing is decided by it
 */
public record WireHeaders(
        @Nullable String type,
        @Nullable String schemaVersion,
        @Nullable String seq,
        @Nullable String traceparent) {
    public static final String TYPE = "type";
    public static final String SCHEMA_VERSION = "schemaVersion";
    public static final String SEQ = "seq";
    public static final String TRACEPARENT = "traceparent";
    public static final WireHeaders NONE = new WireHeaders(null, null, null);

    /** The headers of a record that belongs to no trace. */
    public WireHeaders(@Nullable String type, @Nullable String schemaVersion, @Nullable String seq) {
        this(type, schemaVersion, seq, null);
    }

    static WireHeaders of(RowType type, @Nullable Long seq) {
        return new WireHeaders(
                type.label(), Integer.toString(WireRecordCodec.SCHEMA_VERSION), seq == null ? null : seq.toString());
    }

    /** Returns the number in header {@code seq}; null if it is missing or unreadable. */
    public @Nullable Long seqNumber() {
        return seq == null ? null : WireRecordCodec.parseNumber(seq);
    }
}
