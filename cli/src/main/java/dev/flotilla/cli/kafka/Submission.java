package dev.flotilla.cli.kafka;

import dev.flotilla.core.term.Cut;
import dev.flotilla.core.term.Places;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.runtime.kafka.OpenTransactions;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.runtime.kafka.RowWriter;
import dev.flotilla.runtime.kafka.TopicKeeper;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a row into a table of the fleet and waits for what the orchestrator says. The head's offset tells that it has
 * been decided on; a row in {@code rejected}, written in the same transaction, that it was refused.
 */
final class Submission {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final String NAME = "flotilla-cli";

    private final KafkaSettings settings;
    private final TopicKeeper topics;
    private final Duration patience;

    Submission(KafkaSettings settings, TopicKeeper topics, Duration patience) {
        this.settings = settings;
        this.topics = topics;
        this.patience = patience;
    }

    Answer submit(Fact fact, Duration wait) {
        WireRecord record = Wire.encode(fact);
        if (Wire.decode(record) instanceof Decoded.Refused<Fact> refused) {
            return new Answer.Malformed(refused.rejections());
        }
        Place place = Places.placeOf(fact.at());
        long offset;
        try (RowWriter writer = new RowWriter(settings, NAME, patience)) {
            offset = writer.write(
                    new WireRecord(record.topic(), place.partition(), record.key(), record.value(), record.headers()));
        }
        if (wait.isZero()) {
            return new Answer.Written();
        }
        RejectedKey refusal = new RejectedKey(record.topic(), place.partition(), String.valueOf(record.key()));
        try (PartitionReader reader = new PartitionReader(settings, NAME, 1_000, patience)) {
            List<TopicId> written = topics.ids(List.of(Topic.of(place.table())));
            Answer answer = await(reader, place, offset, TopicId.of(written, place.table()), refusal, wait);
            return answer == null ? new Answer.Silent(behind(place, offset)) : answer;
        }
    }

    /** The open transaction that a row waits for, if it is that. */
    private @Nullable OpenTransaction behind(Place place, long offset) {
        try (OpenTransactions transactions = new OpenTransactions(settings, patience)) {
            OpenTransactions.Behind behind =
                    transactions.heldBack(List.of(place)).get(place);
            return behind == null || behind.first() > offset ? null : transactions.describe(place, behind);
        }
    }

    /** What the orchestrator says; null where it says nothing in time. */
    private static @Nullable Answer await(
            PartitionReader reader,
            Place place,
            long offset,
            @Nullable String topic,
            RejectedKey refusal,
            Duration wait) {
        List<Place> places = List.of(Place.of(Table.HEAD), Place.of(Table.REJECTED));
        reader.assign(places);
        reader.seekToBeginning(places);
        Map<RowKey, Fact> rows = new HashMap<>();
        long until = System.nanoTime() + wait.toNanos();
        while (System.nanoTime() < until) {
            follow(reader, rows);
            FleetHead head = rows.get(FleetHead.NONE.at()) instanceof FleetHead known ? known : FleetHead.NONE;
            String decided = TopicId.of(head.topics(), place.table());
            // An offset of another topic, which was deleted since, says nothing of this one.
            boolean same = decided == null || topic == null || decided.equals(topic);
            if (same && new Cut(head, Map.of()).decidedUpTo(place) > offset) {
                readRefusals(reader, rows, until);
                return rows.get(new RowKey(Table.REJECTED, refusal)) instanceof Rejected why && why.offset() == offset
                        ? new Answer.Refused(why)
                        : new Answer.Taken();
            }
        }
        return null;
    }

    /** A transaction's rows of two partitions may come one after the other. */
    private static void readRefusals(PartitionReader reader, Map<RowKey, Fact> rows, long until) {
        Place rejected = Place.of(Table.REJECTED);
        Long end = reader.ends(List.of(rejected)).get(rejected);
        while (end != null && reader.position(rejected) < end && System.nanoTime() < until) {
            follow(reader, rows);
        }
    }

    private static void follow(PartitionReader reader, Map<RowKey, Fact> rows) {
        for (Read read : reader.poll(POLL)) {
            @Nullable Fact fact = TableReading.fact(read);
            if (fact instanceof Gone gone) {
                rows.remove(gone.at());
            } else if (fact != null) {
                rows.put(fact.at(), fact);
            }
        }
    }
}
