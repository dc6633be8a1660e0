package dev.flotilla.kafka;

import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.DeletedRecords;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Deletes the beginning of a log. Kafka has one permission for that and for deleting the topic, so an administrator runs it. */
public final class LogTrimmer implements AutoCloseable {
    private final BlockingAdminClient kafka;

    private LogTrimmer(BlockingAdminClient kafka) {
        this.kafka = kafka;
    }

    /** Opens a client; it does not connect to a broker yet. */
    public static LogTrimmer connect(KafkaClientSettings settings, Duration deadline) {
        return new LogTrimmer(BlockingAdminClient.open(settings, deadline));
    }

    /** Deletes all records before an offset. Returns the new first offset of the log. */
    public long deleteRecordsBefore(TablePartition log, long before) {
        TopicPartition partition = KafkaRecordConverter.toTopicPartition(log);
        DeletedRecords deleted = kafka.callForEach(
                        "deleting the beginning of " + log,
                        admin -> admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before)))
                                .lowWatermarks())
                .get(partition);
        if (deleted == null) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.NO_TOPIC,
                    "cannot delete records of " + log + ", because it does not exist",
                    null);
        }
        return deleted.lowWatermark();
    }

    @Override
    public void close() {
        kafka.close();
    }
}
