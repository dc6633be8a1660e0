package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.JournalKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.OperatorOrderKeyFormat;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Encodes row changes as Kafka records and decodes them. A record whose topic or key does not match its row is rejected. */
public final class WireRecordCodec {
    /** The version of every row's form. A reader accepts this version and earlier ones. */
    public static final int SCHEMA_VERSION = 1;

    private static final int MAX_DIGITS = 18;

    private WireRecordCodec() {}

    /** Encodes a row change of a writer that has no journal. */
    public static WireRecord encode(RowChange rowChange) {
        return encode(rowChange, null);
    }

    /** Encodes a row change with the seq of the journal record of its decision. */
    public static WireRecord encode(RowChange rowChange, @Nullable Long seq) {
        return toWireRecord(rowChange, seq, rowChange instanceof TableRow row ? RowCodec.encode(row) : null);
    }

    /**
     * A journal record and its row changes, as Kafka records. Each row is encoded once for both.
     *
     * @param changes in the order of the journal record
     */
    public record JournalWireRecords(WireRecord journal, List<WireRecord> changes) {}

    /** Encodes a journal record and its row changes. */
    public static JournalWireRecords encodeJournalRecord(JournalRecord journalRecord) {
        RowCodec.EncodedJournalRecord encodedJournalRecord = RowCodec.encodeWithRows(journalRecord);
        List<WireRecord> changes = new ArrayList<>(journalRecord.changes().size());
        int rows = 0;
        for (RowChange rowChange : journalRecord.changes()) {
            changes.add(toWireRecord(
                    rowChange,
                    journalRecord.seq(),
                    rowChange instanceof TableRow ? encodedJournalRecord.rows().get(rows++) : null));
        }
        return new JournalWireRecords(
                toWireRecord(journalRecord, journalRecord.seq(), encodedJournalRecord.record()), changes);
    }

    private static WireRecord toWireRecord(RowChange rowChange, @Nullable Long seq, byte @Nullable [] value) {
        RowKey at = rowChange.rowKey();
        WireHeaders headers = switch (rowChange) {
            case TableRow row -> WireHeaders.of(RowType.of(row), seq);
            case Tombstone tombstone -> new WireHeaders(null, null, seq == null ? null : seq.toString());
        };
        return new WireRecord(
                new Topic(at.table(), RecordKeyFormat.siteOf(at)).name(),
                null,
                RecordKeyFormat.print(at),
                value,
                headers);
    }

    /** Decodes a Kafka record as a row change; on failure the result has every problem. */
    public static DecodeResult<RowChange> decode(WireRecord record) {
        Topic topic = Topic.parse(record.topic());
        if (topic == null) {
            return reject(RejectionReason.BAD_KEY, "topic", record.topic(), "is not a topic of Flotilla");
        }
        String written = record.key() == null ? "" : record.key();
        return switch (topic.table()) {
            case JOURNAL -> decodeJournalRecord(record);
            case LEADER -> reject(RejectionReason.BAD_KEY, "topic", record.topic(), "is a topic without records");
            case INVENTORY,
                    INTENTS,
                    STATUS,
                    COMMANDS,
                    PROGRESS,
                    CAMPAIGNS,
                    ORDERS,
                    APPROVALS,
                    FREEZES,
                    AUDITOR_ORDERS,
                    POLICIES,
                    CAMPAIGN_STATUS,
                    HEAD,
                    REJECTED -> {
                EntityKey key = RecordKeyFormat.parse(topic, written);
                yield key == null ? rejectKey(topic, written) : decodeTableRecord(record, topic, key);
            }
        };
    }

    private static DecodeResult<RowChange> rejectKey(Topic topic, String written) {
        OperatorOrderKey elsewhere = topic.table().holdsOrders() ? OperatorOrderKeyFormat.parse(written) : null;
        return elsewhere == null
                ? reject(RejectionReason.BAD_KEY, "key", written, "is not a key of topic " + topic)
                : reject(
                        RejectionReason.WRONG_TOPIC,
                        "key",
                        written,
                        "is not a key of topic " + topic + ": it belongs on " + Topic.of(elsewhere.table()));
    }

    private static DecodeResult<RowChange> decodeTableRecord(WireRecord record, Topic topic, EntityKey key) {
        RowKey at = new RowKey(topic.table(), key);
        byte[] value = record.value();
        if (value == null) {
            return new DecodeResult.Accepted<>(new Tombstone(at));
        }
        DecodeResult<RowType> type = decodeType(record.headers(), at);
        return switch (type) {
            case DecodeResult.Rejected<RowType> rejected -> new DecodeResult.Rejected<>(rejected.rejections());
            case DecodeResult.Accepted<RowType> accepted ->
                switch (RowCodec.decode(accepted.value(), value)) {
                    case DecodeResult.Rejected<TableRow> rejected -> new DecodeResult.Rejected<>(rejected.rejections());
                    case DecodeResult.Accepted<TableRow> row -> checkPlacement(row.value(), at, topic);
                };
        };
    }

    private static DecodeResult<RowChange> checkPlacement(TableRow row, RowKey at, Topic topic) {
        if (row.rowKey().equals(at)) {
            return new DecodeResult.Accepted<>(row);
        }
        if (!Objects.equals(RecordKeyFormat.siteOf(row.rowKey()), topic.site())) {
            return reject(
                    RejectionReason.WRONG_SITE,
                    "site",
                    String.valueOf(RecordKeyFormat.siteOf(row.rowKey())),
                    "is not the site of topic " + topic);
        }
        return reject(
                RejectionReason.BAD_KEY,
                "key",
                String.valueOf(RecordKeyFormat.print(at)),
                "is the record's key, but the key of its row is " + RecordKeyFormat.print(row.rowKey()));
    }

    private static DecodeResult<RowChange> decodeJournalRecord(WireRecord record) {
        byte[] value = record.value();
        if (value == null) {
            return reject(RejectionReason.MISSING_FIELD, "", "", "has no value; the journal has no tombstones");
        }
        RowKey anywhere = new RowKey(Table.JOURNAL, new JournalKey(0));
        return switch (decodeType(record.headers(), anywhere)) {
            case DecodeResult.Rejected<RowType> rejected -> new DecodeResult.Rejected<>(rejected.rejections());
            case DecodeResult.Accepted<RowType> accepted ->
                switch (RowCodec.decode(accepted.value(), value)) {
                    case DecodeResult.Rejected<TableRow> rejected -> new DecodeResult.Rejected<>(rejected.rejections());
                    case DecodeResult.Accepted<TableRow> row -> new DecodeResult.Accepted<>(row.value());
                };
        };
    }

    /** Returns the type in the headers, or the type that topic and key imply: operators who write campaigns set no headers. */
    private static DecodeResult<RowType> decodeType(WireHeaders headers, RowKey at) {
        String version = headers.schemaVersion();
        if (version != null) {
            Long number = parseNumber(version);
            if (number == null || number < 1) {
                return reject(RejectionReason.BAD_VALUE, "schemaVersion", version, "must be a number, at least 1");
            }
            if (number > SCHEMA_VERSION) {
                return reject(
                        RejectionReason.FUTURE_VERSION,
                        "schemaVersion",
                        version,
                        "is newer than " + SCHEMA_VERSION + ", the newest version that this process supports");
            }
        }
        RowType implied = RowTypeLookup.lookUp(at);
        String type = headers.type();
        RowType stated = type == null ? implied : RowType.parse(type);
        if (stated == null || stated.table() != at.table()) {
            return reject(
                    RejectionReason.UNKNOWN_TYPE,
                    "type",
                    type == null ? "" : type,
                    "must be a type of row in table " + at.table().label());
        }
        return new DecodeResult.Accepted<>(stated);
    }

    /** Parses a header's number; null if it is none. */
    static @Nullable Long parseNumber(String text) {
        if (text.isEmpty() || text.length() > MAX_DIGITS) {
            return null;
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return null;
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    private static <T> DecodeResult<T> reject(RejectionReason reason, String path, String value, String problem) {
        return DecodeResult.rejected(new RejectionDetail(reason, path, RedactedText.redact(value), problem, null));
    }
}
