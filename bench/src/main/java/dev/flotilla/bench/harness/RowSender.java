package dev.flotilla.bench.harness;

import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Writes rows with a plain client, in one transaction if its producer has an open one. */
public final class RowSender implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;

    public RowSender(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    public static RowSender open(String bootstrap) {
        return new RowSender(PlainKafkaClients.producer(bootstrap, "bench-rows"));
    }

    public void send(TablePartition tablePartition, RowChange rowChange) {
        var unused = producer.send(record(WireRecordCodec.encode(rowChange), tablePartition.partition()));
    }

    public void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }

    private static ProducerRecord<byte[], byte[]> record(WireRecord record, int partition) {
        return new ProducerRecord<>(record.topic(), partition, null, key(record), record.value(), headers(record));
    }

    public static byte @Nullable [] key(WireRecord record) {
        String key = record.key();
        return key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    }

    public static List<Header> headers(WireRecord record) {
        List<Header> headers = new ArrayList<>(3);
        add(headers, WireHeaders.TYPE, record.headers().type());
        add(headers, WireHeaders.SCHEMA_VERSION, record.headers().schemaVersion());
        add(headers, WireHeaders.SEQ, record.headers().seq());
        return headers;
    }

    private static void add(List<Header> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
