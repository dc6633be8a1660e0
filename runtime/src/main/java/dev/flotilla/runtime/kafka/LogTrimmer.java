package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.Place;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;

/** Deletes the beginning of a log. Kafka has one right for that and for deleting the topic, so an administrator does it. */
public final class LogTrimmer implements AutoCloseable {
    private final AdminConnection kafka;

    private LogTrimmer(AdminConnection kafka) {
        this.kafka = kafka;
    }

    /** Opens a client; no broker is asked yet. */
    public static LogTrimmer connect(KafkaSettings settings, Duration deadline) {
        return new LogTrimmer(AdminConnection.open(settings, deadline));
    }

    /** Deletes every record before an offset. Returns where the log begins now. */
    public long trim(Place log, long before) {
        return kafka.call(
                        "deleting the beginning of " + log,
                        admin -> admin.deleteRecords(
                                        Map.of(Records.partition(log), RecordsToDelete.beforeOffset(before)))
                                .lowWatermarks()
                                .get(Records.partition(log)))
                .lowWatermark();
    }

    @Override
    public void close() {
        kafka.close();
    }
}
