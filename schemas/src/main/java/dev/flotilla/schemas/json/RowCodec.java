package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.ParseError;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.TableRow;
import java.util.List;

/** Encodes rows as bytes and decodes them. Equal rows have equal bytes, and a decoded row is encoded to the same bytes. */
public final class RowCodec {
    private RowCodec() {}

    /** Returns the canonical bytes of a row. */
    public static byte[] encode(TableRow row) {
        JsonWriter out = new JsonWriter();
        RowType.of(row).write(out, row);
        return out.toBytes();
    }

    /** Returns the canonical bytes of a journal record and of each row in it; a row's bytes are the same in both places. */
    static EncodedJournalRecord encodeWithRows(JournalRecord record) {
        JsonWriter out = new JsonWriter();
        RowType.JOURNAL_RECORD.write(out, record);
        return new EncodedJournalRecord(out.toBytes(), out.parts());
    }

    /** The result of {@link #encodeWithRows}. */
    @SuppressWarnings("ArrayRecordComponent") // Its components are read at once; it is never compared.
    record EncodedJournalRecord(byte[] record, List<byte[]> rows) {}

    /** Decodes bytes as a row of a type; on failure the result has every problem. */
    public static DecodeResult<TableRow> decode(RowType type, byte[] bytes) {
        return switch (JsonReader.read(bytes, type.maxBytes())) {
            case ParseResult.UnparsableDocument unparsableDocument ->
                DecodeResult.rejected(rejection(unparsableDocument.error()));
            case ParseResult.ParsedDocument parsedDocument -> {
                ProblemCollector problems =
                        type.isWrittenByPeople() ? ProblemCollector.strict() : ProblemCollector.tolerant();
                parsedDocument
                        .errors()
                        .forEach(flaw ->
                                problems.add(new ProblemCollector.LocatedProblem(rejection(flaw), flaw.line())));
                TableRow row = type.read(parsedDocument.value(), problems);
                yield row == null || !problems.none()
                        ? new DecodeResult.Rejected<>(problems.rejections())
                        : new DecodeResult.Accepted<>(row);
            }
        };
    }

    private static RejectionDetail rejection(ParseError why) {
        return new RejectionDetail(why.reason(), why.path(), "", why.problem(), null);
    }
}
