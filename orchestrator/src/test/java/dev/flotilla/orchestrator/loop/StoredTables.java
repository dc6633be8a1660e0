package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.Places;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
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

    /** A record where it stands. */
    record Stored(long offset, WireRecord record) {
        String partition() {
            return record.topic() + "/" + record.partition();
        }
    }

    /** Everything that is in a Kafka now. */
    static StoredTables read(String bootstrap, Collection<SiteId> sites) {
        List<Place> places = new ArrayList<>(Places.outputs(sites));
        places.addAll(Places.inputs(sites));
        places.add(Place.of(Table.JOURNAL));
        List<Stored> records = new ArrayList<>();
        Map<String, Long> ends = new TreeMap<>();
        try (PartitionReader reader =
                new PartitionReader(KafkaSettings.onThisMachine(bootstrap), "stored", 10_000, PATIENCE)) {
            reader.assign(places);
            reader.seekToBeginning(places);
            Map<Place, Long> all = reader.ends(places);
            all.forEach((place, end) ->
                    ends.put(new Topic(place.table(), place.site()).name() + "/" + place.partition(), end));
            while (all.entrySet().stream().anyMatch(end -> reader.position(end.getKey()) < end.getValue())) {
                for (Read read : reader.poll(Duration.ofMillis(50))) {
                    records.add(new Stored(read.offset(), read.record()));
                }
            }
        }
        records.sort(Comparator.comparing(Stored::partition).thenComparingLong(Stored::offset));
        Leaders.Glimpse held = Leaders.restored(bootstrap, List.copyOf(sites));
        return new StoredTables(held.head().seq(), held.hash(), ends, records);
    }

    static StoredTables read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            Obj whole = obj(lines.getFirst());
            Map<String, Long> ends = new TreeMap<>();
            if (whole.get("ends") instanceof Obj all) {
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
        Obj.Builder all = new Obj.Builder();
        ends.forEach(all::put);
        line(lines, new Obj.Builder().put("seq", seq).put("hash", hash).put("ends", all.build()));
        for (Stored each : records) {
            WireRecord record = each.record();
            Obj.Builder line = new Obj.Builder()
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

    /** The same rows, known to be another state. */
    StoredTables with(long newHash) {
        return new StoredTables(seq, newHash, ends, records);
    }

    private static void put(Obj.Builder line, String name, @Nullable String value) {
        if (value != null) {
            line.put(name, value);
        }
    }

    private static void line(StringBuilder lines, Obj.Builder line) {
        JsonWriter json = new JsonWriter();
        json.tree(line.build());
        lines.append(new String(json.toBytes(), StandardCharsets.UTF_8)).append('\n');
    }

    private static Stored stored(String line) {
        Obj obj = obj(line);
        String value = text(obj, "value");
        return new Stored(
                number(obj, "offset"),
                new WireRecord(
                        String.valueOf(text(obj, "topic")),
                        (int) number(obj, "partition"),
                        text(obj, "key"),
                        value == null ? null : value.getBytes(StandardCharsets.UTF_8),
                        new WireHeaders(
                                text(obj, WireHeaders.TYPE),
                                text(obj, WireHeaders.SCHEMA_VERSION),
                                text(obj, WireHeaders.SEQ))));
    }

    private static Obj obj(String line) {
        if (JsonReader.read(line.getBytes(StandardCharsets.UTF_8), LONGEST_LINE) instanceof Parsed.Whole whole
                && whole.tree() instanceof Obj obj) {
            return obj;
        }
        throw new IllegalArgumentException("no object: " + line);
    }

    private static long number(Obj of, String field) {
        if (of.get(field) instanceof Tree.Whole whole) {
            return whole.value();
        }
        throw new IllegalArgumentException("no number " + field);
    }

    private static @Nullable String text(Obj of, String field) {
        return of.get(field) instanceof Tree.Text text ? text.value() : null;
    }
}
