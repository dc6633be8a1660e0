package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All tables and the journal as they stood in a Kafka, record by record with offset and headers, and what was held by who
 * had read them. A line a record in a file, behind a line of what is known of the whole.
 *
 * @param hash of the state that they are
 * @param ends the offset after the last record of each partition, by topic and partition
 */
record StoredTables(long seq, long hash, Map<String, Long> ends, List<Stored> records) {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LONGEST_LINE = 1024 * 1024;

    /** A record with its offset. */
    record Stored(long offset, WireRecord record) {
        String partition() {
            return record.topic() + "/" + record.partition();
        }
    }

    /** Reads everything from a Kafka. */
    static StoredTables read(String bootstrap, Collection<SiteId> sites) {
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        places.addAll(OrchestratorPartitions.inputs(sites));
        places.add(TablePartition.of(Table.JOURNAL));
        List<Stored> records = new ArrayList<>();
        Map<String, Long> ends = new TreeMap<>();
        try (PartitionReader reader =
                new PartitionReader(KafkaClientSettings.forLocalBroker(bootstrap), "stored", 10_000, PATIENCE)) {
            reader.assign(places);
            reader.seekToBeginning(places);
            Map<TablePartition, Long> all = reader.endOffsets(places);
            all.forEach((tablePartition, end) -> ends.put(
                    new Topic(tablePartition.table(), tablePartition.site()).name() + "/" + tablePartition.partition(),
                    end));
            while (all.entrySet().stream().anyMatch(end -> reader.nextOffset(end.getKey()) < end.getValue())) {
                for (ConsumedRecord consumedRecord : reader.poll(Duration.ofMillis(50))) {
                    records.add(new Stored(consumedRecord.offset(), consumedRecord.record()));
                }
            }
        }
        records.sort(Comparator.comparing(Stored::partition).thenComparingLong(Stored::offset));
        OrchestratorReplicas.ReplicaSnapshot held = OrchestratorReplicas.restoreSnapshot(bootstrap, List.copyOf(sites));
        return new StoredTables(held.head().seq(), held.hash(), ends, records);
    }

    static StoredTables read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            JsonObjectReader whole = obj(lines.getFirst());
            Map<String, Long> ends = new TreeMap<>();
            if (whole.get("ends") instanceof JsonObjectReader all) {
                for (int i = 0; i < all.size(); i++) {
                    ends.put(all.name(i), number(all, all.name(i)));
                }
            }
            return new StoredTables(
                    number(whole, "seq"),
                    number(whole, "hash"),
                    ends,
                    lines.stream().skip(1).map(StoredTables::stored).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(Path file) {
        StringBuilder lines = new StringBuilder();
        JsonObjectReader.Builder all = new JsonObjectReader.Builder();
        ends.forEach(all::put);
        line(
                lines,
                new JsonObjectReader.Builder().put("seq", seq).put("hash", hash).put("ends", all.build()));
        for (Stored each : records) {
            WireRecord record = each.record();
            JsonObjectReader.Builder line = new JsonObjectReader.Builder()
                    .put("topic", record.topic())
                    .put("partition", record.partition())
                    .put("offset", each.offset());
            put(line, "key", record.key());
            put(line, WireHeaders.TYPE, record.headers().type());
            put(line, WireHeaders.SCHEMA_VERSION, record.headers().schemaVersion());
            put(line, WireHeaders.SEQ, record.headers().seq());
            byte[] value = record.value();
            put(line, "value", value == null ? null : new String(value, StandardCharsets.UTF_8));
            line(lines, line);
        }
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same rows, with another state hash. */
    StoredTables with(long newHash) {
        return new StoredTables(seq, newHash, ends, records);
    }

    private static void put(JsonObjectReader.Builder line, String name, @Nullable String value) {
        if (value != null) {
            line.put(name, value);
        }
    }

    private static void line(StringBuilder lines, JsonObjectReader.Builder line) {
        JsonWriter json = new JsonWriter();
        json.jsonValue(line.build());
        lines.append(new String(json.toBytes(), StandardCharsets.UTF_8)).append('\n');
    }

    private static Stored stored(String line) {
        JsonObjectReader jsonObjectReader = obj(line);
        String value = text(jsonObjectReader, "value");
        return new Stored(
                number(jsonObjectReader, "offset"),
                new WireRecord(
                        String.valueOf(text(jsonObjectReader, "topic")),
                        (int) number(jsonObjectReader, "partition"),
                        text(jsonObjectReader, "key"),
                        value == null ? null : value.getBytes(StandardCharsets.UTF_8),
                        new WireHeaders(
                                text(jsonObjectReader, WireHeaders.TYPE),
                                text(jsonObjectReader, WireHeaders.SCHEMA_VERSION),
                                text(jsonObjectReader, WireHeaders.SEQ))));
    }

    private static JsonObjectReader obj(String line) {
        if (JsonReader.read(line.getBytes(StandardCharsets.UTF_8), LONGEST_LINE)
                        instanceof ParseResult.ParsedDocument parsedDocument
                && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader) {
            return jsonObjectReader;
        }
        throw new IllegalArgumentException("no object: " + line);
    }

    private static long number(JsonObjectReader of, String field) {
        if (of.get(field) instanceof JsonValue.JsonInteger jsonInteger) {
            return jsonInteger.value();
        }
        throw new IllegalArgumentException("no number " + field);
    }

    private static @Nullable String text(JsonObjectReader of, String field) {
        return of.get(field) instanceof JsonValue.JsonString jsonString ? jsonString.value() : null;
    }
}
