package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.Rejection;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Unreadable;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Row;
import java.util.List;

/** Rows as bytes and back. Equal rows are equal bytes, and what we wrote is written again as it was. */
public final class Codecs {
    private Codecs() {}

    /** The canonical bytes of a row. */
    public static byte[] encode(Row row) {
        JsonWriter out = new JsonWriter();
        RowType.of(row).write(out, row);
        return out.toBytes();
    }

    /** The canonical bytes of a journal record, and of each row that it tells: those are the same here and there. */
    static Told tell(JournalRecord record) {
        JsonWriter out = new JsonWriter();
        RowType.JOURNAL_RECORD.write(out, record);
        return new Told(out.toBytes(), out.parts());
    }

    /** What {@link #tell} spelled. */
    @SuppressWarnings("ArrayRecordComponent") // It is taken apart at once.
    record Told(byte[] record, List<byte[]> rows) {}

    /** The row of a type that bytes hold, or every reason why they hold none. */
    public static Decoded<Row> decode(RowType type, byte[] bytes) {
        return switch (JsonReader.read(bytes, type.maxBytes())) {
            case Parsed.Broken broken -> Decoded.refused(rejection(broken.why()));
            case Parsed.Whole whole -> {
                Problems problems = type.isWrittenByPeople() ? Problems.strict() : Problems.tolerant();
                whole.flaws().forEach(flaw -> problems.add(new Problems.Found(rejection(flaw), flaw.line())));
                Row row = type.read(whole.tree(), problems);
                yield row == null || !problems.none()
                        ? new Decoded.Refused<>(problems.rejections())
                        : new Decoded.Accepted<>(row);
            }
        };
    }

    private static Rejection rejection(Unreadable why) {
        return new Rejection(why.reason(), why.path(), "", why.problem(), null);
    }
}
