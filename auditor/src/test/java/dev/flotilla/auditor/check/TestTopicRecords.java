package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.RawRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the records of topics by hand, as an orchestrator that does what the test says. */
final class TestTopicRecords {
    private static final long SECOND = 1000;

    final List<InvariantViolation> found = new ArrayList<>();
    final JournalAudit audit = new JournalAudit(found::add);
    private final List<RawRecord> taken = new ArrayList<>();
    private final Map<String, Long> offsets = new HashMap<>();
    private long now = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
    private String previous = "";
    private long seq;

    /** A key of a topic and its row; a missing row is a tombstone. */
    record TopicRow(String topic, String key, @Nullable String json) {
        boolean isInput() {
            return !topic.startsWith("flotilla.status")
                    && !topic.startsWith("flotilla.commands")
                    && !topic.equals("flotilla.campaign-status")
                    && !topic.equals("flotilla.rejected")
                    && !topic.equals("flotilla.head");
        }

        String fact() {
            return "{\"topic\":\"" + topic + "\",\"key\":\"" + key + "\""
                    + (json == null ? "" : ",\"type\":\"any\",\"value\":" + json) + "}";
        }
    }

    /** Creates the records and an auditor that reads them from the beginning. */
    static TestTopicRecords watched() {
        TestTopicRecords testTopicRecords = new TestTopicRecords();
        testTopicRecords.audit.caughtUp(0);
        return testTopicRecords;
    }

    /** All records so far, in order. */
    List<RawRecord> taken() {
        return taken;
    }

    /** The number of the next decision. */
    long next() {
        return seq + 1;
    }

    long seq() {
        return seq;
    }

    String instant() {
        return Instant.ofEpochMilli(now).toString();
    }

    String instant(long secondsLater) {
        return Instant.ofEpochMilli(now + secondsLater * SECOND).toString();
    }

    void seconds(long seconds) {
        now += seconds * SECOND;
    }

    /** Writes one transaction with one decision; input rows are written before it. */
    void decide(String event, String reason, TopicRow... rows) {
        for (TopicRow topicRow : rows) {
            if (topicRow.isInput()) {
                write(topicRow, null);
            }
        }
        journal(event, reason, rows);
        Map<String, TopicRow> newest = new LinkedHashMap<>();
        for (TopicRow topicRow : rows) {
            newest.put(topicRow.topic() + topicRow.key(), topicRow);
        }
        newest.values().stream().filter(topicRow -> !topicRow.isInput()).forEach(topicRow -> write(topicRow, seq));
        write(head(previous), seq);
        write(
                new TopicRow(
                        "flotilla.head",
                        "berlin",
                        "{\"site\":\"berlin\",\"inFlight\":0,\"offsets\":{" + offset("inventory", ".berlin") + "}}"),
                seq);
    }

    private String offset(String table, String site) {
        return "\"" + table + "\":{\"0\":" + offsets.getOrDefault("flotilla." + table + site, 0L) + "}";
    }

    /** Writes the journal record only. */
    void journal(String event, String reason, TopicRow... rows) {
        List<TopicRow> facts = new ArrayList<>(Arrays.asList(rows));
        seq++;
        facts.add(head(""));
        seq--;
        record(event, reason, facts);
    }

    private void record(String event, String reason, List<TopicRow> facts) {
        seq++;
        String json = "{\"seq\":" + seq + ",\"decidedAt\":\"" + instant() + "\",\"event\":\"" + event
                + "\",\"subject\":\"\",\"reason\":\"" + reason + "\",\"changes\":["
                + String.join(",", facts.stream().map(TopicRow::fact).toList()) + "],\"previousHash\":\"" + previous
                + "\"}";
        byte[] value = json.getBytes(StandardCharsets.UTF_8);
        take("flotilla.journal", null, null, value);
        previous = sha256(value);
        now += 10;
    }

    /** Starts a chapter; returns the rows of its checkpoint, as they are now. */
    List<TopicRow> beginChapter() {
        decide("chapter-started", "");
        Map<String, TopicRow> rows = new LinkedHashMap<>();
        for (RawRecord record : taken) {
            String topic = record.topic();
            String key = record.key();
            byte[] value = record.value();
            if (key != null && !topic.startsWith("flotilla.progress")) {
                TopicRow topicRow =
                        new TopicRow(topic, key, value == null ? null : new String(value, StandardCharsets.UTF_8));
                rows.remove(topic + key);
                if (value != null) {
                    rows.put(topic + key, topicRow);
                }
            }
        }
        return List.copyOf(rows.values());
    }

    /** Writes rows of the checkpoint. */
    void checkpoint(List<TopicRow> rows) {
        record("checkpoint-part-written", rows.size() + " rows", rows);
        write(head(previous), seq);
    }

    private TopicRow head(String chain) {
        return new TopicRow(
                "flotilla.head",
                "fleet",
                "{\"term\":1,\"seq\":" + seq + ",\"decidedAt\":\"" + instant() + "\",\"journalHash\":\"" + chain
                        + "\",\"featureLevel\":1,\"clockInSync\":true,\"offsets\":{"
                        + offset("orders", "") + "," + offset("policies", "") + "}}");
    }

    /** Skips decision numbers. */
    void skipNumbers(int count) {
        seq += count;
    }

    /** Sets the previous hash of the next record. */
    void previous(String hash) {
        previous = hash;
    }

    void write(TopicRow topicRow, @Nullable Long header) {
        take(
                topicRow.topic(),
                topicRow.key(),
                header,
                topicRow.json() == null ? null : topicRow.json().getBytes(StandardCharsets.UTF_8));
    }

    private void take(String topic, @Nullable String key, @Nullable Long header, byte @Nullable [] value) {
        long offset = offsets.merge(topic, 1L, Long::sum) - 1;
        RawRecord record = new RawRecord(
                topic, 0, offset, now, key, header == null ? Map.of() : Map.of("seq", header.toString()), value);
        taken.add(record);
        audit.process(record);
    }

    /** Signals that everything has been read, for long enough. */
    TestTopicRecords over() {
        audit.caughtUp(1);
        audit.caughtUp(60_000);
        return this;
    }

    private static String sha256(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
