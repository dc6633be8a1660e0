package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.rows.RowType;
import org.jspecify.annotations.Nullable;

/**
 * A record's headers as they are written, each absent in a record that has none of it.
 *
 * @param type which type of row the value is
 * @param schemaVersion in which version of its form
 * @param seq on the orchestrator's rows the journal record that wrote them
 */
public record WireHeaders(
        @Nullable String type,
        @Nullable String schemaVersion,
        @Nullable String seq) {
    public static final String TYPE = "type";
    public static final String SCHEMA_VERSION = "schemaVersion";
    public static final String SEQ = "seq";
    public static final WireHeaders NONE = new WireHeaders(null, null, null);

    static WireHeaders of(RowType type, @Nullable Long seq) {
        return new WireHeaders(
                type.label(), Integer.toString(WireRecordCodec.SCHEMA_VERSION), seq == null ? null : seq.toString());
    }

    /** The number in the header {@code seq}, or null where there is none that can be read. */
    public @Nullable Long seqNumber() {
        return seq == null ? null : WireRecordCodec.parseNumber(seq);
    }
}
