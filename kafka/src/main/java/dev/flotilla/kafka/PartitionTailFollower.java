package dev.flotilla.kafka;

import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.schemas.topic.TablePartition;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.kafka.client.common.KafkaClientOptions;
import io.vertx.kafka.client.common.TopicPartition;
import io.vertx.kafka.client.consumer.KafkaConsumer;
import io.vertx.kafka.client.consumer.KafkaConsumerRecord;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows new committed records of a partition, for observers. It may miss records if Kafka is unavailable for long. */
public final class PartitionTailFollower {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionTailFollower.class);

    /** The timeout of a poll without records; records end a poll at once. */
    private static final Duration POLL_TIMEOUT = Duration.ofSeconds(1);

    /** How long the broker may wait for more records, so that an observer is not woken for each one. */
    private static final Duration FETCH_WAIT = Duration.ofMillis(200);

    private static final int MIN_FETCH_BYTES = 64 * 1024;

    private final KafkaConsumer<byte[], byte[]> consumer;

    private PartitionTailFollower(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Follows a partition from its end; records are handed over on an event loop, one after another. */
    public static Future<PartitionTailFollower> startTailing(
            Vertx vertx, KafkaClientSettings settings, TablePartition tablePartition, Consumer<ConsumedRecord> taker) {
        KafkaConsumer<byte[], byte[]> consumer = KafkaConsumer.create(
                vertx,
                new KafkaClientOptions()
                        .setConfig(settings.consumer(Map.of(
                                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                                "read_committed",
                                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                                false,
                                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                                false,
                                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                                "latest",
                                ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                                MIN_FETCH_BYTES,
                                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                                (int) FETCH_WAIT.toMillis()))),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.pollTimeout(POLL_TIMEOUT);
        // The default handler ignores failures. This one is called on the polling thread.
        consumer.exceptionHandler(failure -> LOG.atWarn()
                .addKeyValue(LogKey.PARTITION.label(), tablePartition)
                .addKeyValue(LogKey.DETAIL.label(), failure.getMessage())
                .log("partition follow failed"));
        consumer.handler((KafkaConsumerRecord<byte[], byte[]> record) ->
                taker.accept(KafkaRecordConverter.toConsumedRecord(tablePartition, record.record())));
        TopicPartition partition = new TopicPartition(
                KafkaRecordConverter.toTopicPartition(tablePartition).topic(), tablePartition.partition());
        return consumer.assign(Set.of(partition))
                .compose(assigned -> consumer.seekToEnd(Set.of(partition)))
                .map(seeked -> new PartitionTailFollower(consumer));
    }

    public Future<Void> stop() {
        return consumer.close();
    }
}
