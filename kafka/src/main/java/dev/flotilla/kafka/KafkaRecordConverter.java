package dev.flotilla.kafka;

import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Converts between records of the Kafka client and {@link ConsumedRecord}s. */
final class KafkaRecordConverter {
    private KafkaRecordConverter() {}

    static TopicPartition toTopicPartition(TablePartition tablePartition) {
        return new TopicPartition(
                new Topic(tablePartition.table(), tablePartition.site()).name(), tablePartition.partition());
    }

    /** Returns the table partition of a Kafka partition, or null if its topic is not Flotilla's. */
    static @Nullable TablePartition toTablePartition(String topic, int partition) {
        Topic ours = Topic.parse(topic);
        return ours == null ? null : new TablePartition(ours.table(), ours.site(), partition);
    }

    /** Converts a record. Bytes of a key that are not valid text become characters that no valid key has. */
    static ConsumedRecord toConsumedRecord(TablePartition tablePartition, ConsumerRecord<byte[], byte[]> record) {
        byte[] key = record.key();
        Headers headers = record.headers();
        return new ConsumedRecord(
                tablePartition,
                record.offset(),
                record.timestamp(),
                new WireRecord(
                        record.topic(),
                        record.partition(),
                        key == null ? null : new String(key, StandardCharsets.UTF_8),
                        record.value(),
                        new WireHeaders(
                                text(headers, WireHeaders.TYPE),
                                text(headers, WireHeaders.SCHEMA_VERSION),
                                text(headers, WireHeaders.SEQ),
                                text(headers, WireHeaders.TRACEPARENT))));
    }

    static ProducerRecord<byte[], byte[]> toProducerRecord(WireRecord record) {
        String key = record.key();
        List<Header> headers = new ArrayList<>(4);
        add(headers, WireHeaders.TYPE, record.headers().type());
        add(headers, WireHeaders.SCHEMA_VERSION, record.headers().schemaVersion());
        add(headers, WireHeaders.SEQ, record.headers().seq());
        add(headers, WireHeaders.TRACEPARENT, record.headers().traceparent());
        return new ProducerRecord<>(
                record.topic(),
                record.partition(),
                null,
                key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                record.value(),
                headers);
    }

    private static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        byte[] value = header == null ? null : header.value();
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private static void add(List<Header> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
