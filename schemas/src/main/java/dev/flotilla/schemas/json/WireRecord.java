package dev.flotilla.schemas.json;

import dev.flotilla.schemas.trace.AttemptTrace;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka record, independent of Kafka's classes.
 *
 * @param partition null while the producer has not chosen one
 * @param key null in the journal, whose records have no keys
 * @param value null for a tombstone
 */
@SuppressWarnings(
        "ArrayRecordComponent") // Equality is by content, below; copying the array for each record would be too
// expensive.
public record WireRecord(
        String topic, @Nullable Integer partition, @Nullable String key, byte @Nullable [] value, WireHeaders headers) {
    /** Returns a copy for a partition. */
    public WireRecord withPartition(int number) {
        return new WireRecord(topic, number, key, value, headers);
    }

    /** Returns a copy that belongs to a trace. */
    public WireRecord withTrace(AttemptTrace trace) {
        return new WireRecord(
                topic,
                partition,
                key,
                value,
                new WireHeaders(headers.type(), headers.schemaVersion(), headers.seq(), trace.traceparent()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WireRecord record
                && topic.equals(record.topic)
                && Objects.equals(partition, record.partition)
                && Objects.equals(key, record.key)
                && Arrays.equals(value, record.value)
                && headers.equals(record.headers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(topic, partition, key, Arrays.hashCode(value), headers);
    }
}
