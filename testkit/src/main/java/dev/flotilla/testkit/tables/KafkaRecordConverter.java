package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Converts between records of the Kafka client and row changes. */
final class KafkaRecordConverter {
    private KafkaRecordConverter() {}

    static TopicPartition partition(TablePartition tablePartition) {
        return new TopicPartition(
                new Topic(tablePartition.table(), tablePartition.site()).name(), tablePartition.partition());
    }

    static ProducerRecord<byte[], byte[]> of(TablePartition tablePartition, RowChange rowChange) {
        return of(tablePartition, WireRecordCodec.encode(rowChange));
    }

    static ProducerRecord<byte[], byte[]> of(TablePartition tablePartition, WireRecord record) {
        String key = record.key();
        List<Header> headers = new ArrayList<>();
        add(headers, WireHeaders.TYPE, record.headers().type());
        add(headers, WireHeaders.SCHEMA_VERSION, record.headers().schemaVersion());
        return new ProducerRecord<>(
                record.topic(),
                tablePartition.partition(),
                null,
                key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                record.value(),
                headers);
    }

    static WireRecord wire(ConsumerRecord<byte[], byte[]> record) {
        byte[] key = record.key();
        return new WireRecord(
                record.topic(),
                record.partition(),
                key == null ? null : new String(key, StandardCharsets.UTF_8),
                record.value(),
                new WireHeaders(
                        text(record, WireHeaders.TYPE),
                        text(record, WireHeaders.SCHEMA_VERSION),
                        text(record, WireHeaders.SEQ),
                        text(record, WireHeaders.TRACEPARENT)));
    }

    private static void add(List<Header> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static @Nullable String text(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
