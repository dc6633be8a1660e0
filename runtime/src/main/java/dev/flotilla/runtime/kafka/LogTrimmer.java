package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.DeletedRecords;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Deletes the beginning of a log. Kafka has one right for that and for deleting the topic, so an administrator does it. */
public final class LogTrimmer implements AutoCloseable {
    private final BlockingAdminClient kafka;

    private LogTrimmer(BlockingAdminClient kafka) {
        this.kafka = kafka;
    }

    /** Opens a client; no broker is asked yet. */
    public static LogTrimmer connect(KafkaClientSettings settings, Duration deadline) {
        return new LogTrimmer(BlockingAdminClient.open(settings, deadline));
    }

    /** Deletes every record before an offset. Returns where the log begins now. */
    public long deleteRecordsBefore(TablePartition log, long before) {
        TopicPartition partition = KafkaRecordConverter.toTopicPartition(log);
        DeletedRecords deleted = kafka.callForEach(
                        "deleting the beginning of " + log,
                        admin -> admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before)))
                                .lowWatermarks())
                .get(partition);
        if (deleted == null) {
            throw new KafkaFailure(KafkaFailure.Kind.NO_TOPIC, "there is no " + log + " to delete records of", null);
        }
        return deleted.lowWatermark();
    }

    @Override
    public void close() {
        kafka.close();
    }
}
