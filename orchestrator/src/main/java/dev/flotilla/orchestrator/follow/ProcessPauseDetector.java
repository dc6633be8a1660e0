package dev.flotilla.orchestrator.follow;

import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Duration;

/**
 * Detects that this process did not read its tables for long: it was stopped, or its virtual machine was suspended or
 * restored from a snapshot. Kafka keeps tombstones for {@link TopicCatalogue#DELETE_RETENTION}; after half of it some
 * may be missed, and the tables are read again.
 */
public final class ProcessPauseDetector {
    static final Duration MAX_PAUSE = TopicCatalogue.DELETE_RETENTION.dividedBy(2);

    private final ProcessClock clock;
    private long lastWallMillis;
    private long lastNanos;

    public ProcessPauseDetector(ProcessClock clock) {
        this.clock = clock;
        recordPoll();
    }

    /** Checks the time since the last poll. Called after each poll, before its records are used. */
    public void checkForPause() {
        // The monotonic clock stops while a virtual machine is suspended; the wall clock may be set.
        long pauseMillis = Math.max(
                clock.wallMillis() - lastWallMillis,
                Duration.ofNanos(clock.monotonicNanos() - lastNanos).toMillis());
        recordPoll();
        if (pauseMillis > MAX_PAUSE.toMillis()) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.OTHER,
                    "did not read the tables for "
                            + Duration.ofMillis(pauseMillis).toHours() + " hours: tombstones may have been missed",
                    null);
        }
    }

    private void recordPoll() {
        lastWallMillis = clock.wallMillis();
        lastNanos = clock.monotonicNanos();
    }
}
