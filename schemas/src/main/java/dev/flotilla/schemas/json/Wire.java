package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.JournalKey;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.json.codec.Rejection;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.Shown;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.OrderKeys;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Facts as records of Kafka and back. A row says by itself where it belongs; a record that stands elsewhere is refused. */
public final class Wire {
    /** The version of every row's form. A reader takes this one and those before it. */
    public static final int SCHEMA_VERSION = 1;

    private static final int MAX_DIGITS = 18;

    private Wire() {}

    /** The record of a fact whose writer keeps no journal. */
    public static WireRecord encode(Fact fact) {
        return encode(fact, null);
    }

    /** The record of a fact that a journal record wrote. */
    public static WireRecord encode(Fact fact, @Nullable Long seq) {
        return record(fact, seq, fact instanceof Row row ? Codecs.encode(row) : null);
    }

    /**
     * A journal record and the facts that it tells, as records of their own: the rows are spelled once for both.
     *
     * @param facts in the order in which it tells them
     */
    public record Told(WireRecord journal, List<WireRecord> facts) {}

    /** Encodes a journal record, and what it tells. */
    public static Told tell(JournalRecord said) {
        Codecs.Told told = Codecs.tell(said);
        List<WireRecord> facts = new ArrayList<>(said.facts().size());
        int rows = 0;
        for (Fact fact : said.facts()) {
            facts.add(record(fact, said.seq(), fact instanceof Row ? told.rows().get(rows++) : null));
        }
        return new Told(record(said, said.seq(), told.record()), facts);
    }

    private static WireRecord record(Fact fact, @Nullable Long seq, byte @Nullable [] value) {
        RowKey at = fact.at();
        WireHeaders headers = switch (fact) {
            case Row row -> WireHeaders.of(RowType.of(row), seq);
            case Gone gone -> new WireHeaders(null, null, seq == null ? null : seq.toString());
        };
        return new WireRecord(new Topic(at.table(), Keys.siteOf(at)).name(), null, Keys.print(at), value, headers);
    }

    /** The fact that a record states, or why it states none. */
    public static Decoded<Fact> decode(WireRecord record) {
        Topic topic = Topic.parse(record.topic());
        if (topic == null) {
            return refused(RejectionReason.BAD_KEY, "topic", record.topic(), "is no topic of ours");
        }
        String written = record.key() == null ? "" : record.key();
        return switch (topic.table()) {
            case JOURNAL -> journal(record);
            case LEADER -> refused(RejectionReason.BAD_KEY, "topic", record.topic(), "holds no records");
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
                Key key = Keys.parse(topic, written);
                yield key == null ? noKey(topic, written) : table(record, topic, key);
            }
        };
    }

    private static Decoded<Fact> noKey(Topic topic, String written) {
        OrderKey elsewhere = topic.table().isOfOrders() ? OrderKeys.parse(written) : null;
        return elsewhere == null
                ? refused(RejectionReason.BAD_KEY, "key", written, "is no key of topic " + topic)
                : refused(
                        RejectionReason.WRONG_TOPIC,
                        "key",
                        written,
                        "is no key of topic " + topic + ": it belongs on " + Topic.of(elsewhere.table()));
    }

    private static Decoded<Fact> table(WireRecord record, Topic topic, Key key) {
        RowKey at = new RowKey(topic.table(), key);
        byte[] value = record.value();
        if (value == null) {
            return new Decoded.Accepted<>(new Gone(at));
        }
        Decoded<RowType> type = type(record.headers(), at);
        return switch (type) {
            case Decoded.Refused<RowType> refused -> new Decoded.Refused<>(refused.rejections());
            case Decoded.Accepted<RowType> accepted ->
                switch (Codecs.decode(accepted.value(), value)) {
                    case Decoded.Refused<Row> refused -> new Decoded.Refused<>(refused.rejections());
                    case Decoded.Accepted<Row> row -> placed(row.value(), at, topic);
                };
        };
    }

    private static Decoded<Fact> placed(Row row, RowKey at, Topic topic) {
        if (row.at().equals(at)) {
            return new Decoded.Accepted<>(row);
        }
        if (!Objects.equals(Keys.siteOf(row.at()), topic.site())) {
            return refused(
                    RejectionReason.WRONG_SITE,
                    "site",
                    String.valueOf(Keys.siteOf(row.at())),
                    "is another site than that of topic " + topic);
        }
        return refused(
                RejectionReason.BAD_KEY,
                "key",
                String.valueOf(Keys.print(at)),
                "is the record's key, but its content is about " + Keys.print(row.at()));
    }

    private static Decoded<Fact> journal(WireRecord record) {
        byte[] value = record.value();
        if (value == null) {
            return refused(RejectionReason.MISSING_FIELD, "", "", "has no value; the journal has no tombstones");
        }
        RowKey anywhere = new RowKey(Table.JOURNAL, new JournalKey(0));
        return switch (type(record.headers(), anywhere)) {
            case Decoded.Refused<RowType> refused -> new Decoded.Refused<>(refused.rejections());
            case Decoded.Accepted<RowType> accepted ->
                switch (Codecs.decode(accepted.value(), value)) {
                    case Decoded.Refused<Row> refused -> new Decoded.Refused<>(refused.rejections());
                    case Decoded.Accepted<Row> row -> new Decoded.Accepted<>(row.value());
                };
        };
    }

    /** The type that the headers tell, or that topic and key imply: people who write campaigns set no headers. */
    private static Decoded<RowType> type(WireHeaders headers, RowKey at) {
        String version = headers.schemaVersion();
        if (version != null) {
            Long number = number(version);
            if (number == null || number < 1) {
                return refused(RejectionReason.BAD_VALUE, "schemaVersion", version, "must be a number from 1 on");
            }
            if (number > SCHEMA_VERSION) {
                return refused(
                        RejectionReason.FUTURE_VERSION,
                        "schemaVersion",
                        version,
                        "is newer than " + SCHEMA_VERSION + ", the newest form known here");
            }
        }
        RowType implied = Implied.type(at);
        String type = headers.type();
        RowType told = type == null ? implied : RowType.parse(type);
        if (told == null || told.table() != at.table()) {
            return refused(
                    RejectionReason.UNKNOWN_TYPE,
                    "type",
                    type == null ? "" : type,
                    "must be a type of row of table " + at.table().label());
        }
        return new Decoded.Accepted<>(told);
    }

    /** The number that a header states, or null. */
    static @Nullable Long number(String text) {
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

    private static <T> Decoded<T> refused(RejectionReason reason, String path, String value, String problem) {
        return Decoded.refused(new Rejection(reason, path, Shown.of(value), problem, null));
    }
}
