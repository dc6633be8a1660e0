package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Duration;

/**
 * Notices that this process was away from its tables: stopped, or in a virtual machine that was suspended or restored from a
 * snapshot. Tombstones stay {@link TopicCatalogue#DELETE_RETENTION}; who was away for half of it may have missed some, and reads
 * the tables anew.
 */
final class ProcessPauseDetector {
    static final Duration LONGEST_ABSENCE = TopicCatalogue.DELETE_RETENTION.dividedBy(2);

    private final LoopClock time;
    private long wall;
    private long nanos;

    ProcessPauseDetector(LoopClock time) {
        this.time = time;
        note();
    }

    /** To be called after each poll, before what it brought is used. */
    void checkForPause() {
        // The one stands still while a virtual machine is suspended; the other may be set.
        long absent = Math.max(
                time.wallMillis() - wall,
                Duration.ofNanos(time.monotonicNanos() - nanos).toMillis());
        note();
        if (absent > LONGEST_ABSENCE.toMillis()) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.OTHER,
                    "did not read the tables for " + Duration.ofMillis(absent).toHours()
                            + " hours: tombstones may have been missed",
                    null);
        }
    }

    private void note() {
        wall = time.wallMillis();
        nanos = time.monotonicNanos();
    }
}
