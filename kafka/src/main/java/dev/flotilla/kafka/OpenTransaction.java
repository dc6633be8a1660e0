package dev.flotilla.kafka;

import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that its producer has not ended. A reader of committed records gets no record after its first one, from any
 * producer.
 *
 * @param firstOffset the offset of its first record in the partition
 * @param blockedOffsets the number of offsets from that one to the end
 * @param transactionalId the transactional id of its producer; null if this process is not authorized to see it
 * @param timesOutAt when the broker ends it, if the producer does not; null if this process is not authorized to see it
 */
public record OpenTransaction(
        TablePartition partition,
        long firstOffset,
        long blockedOffsets,
        @Nullable String transactionalId,
        @Nullable Instant timesOutAt) {
    /** The maximum duration of an ordinary transaction; one that is open for longer is reported. */
    public static final Duration REPORTED_AFTER = Duration.ofSeconds(3);

    /** Returns the name of the topic. */
    public String topic() {
        return new Topic(partition.table(), partition.site()).name();
    }

    /** Describes the problem, as a sentence. */
    public String describeTransaction() {
        return "An open transaction of " + describeProducer() + " blocks " + topic() + " partition "
                + partition.partition() + " from offset " + firstOffset + " on" + describeTimeout() + ".";
    }

    /** Describes the producer. */
    public String describeProducer() {
        return transactionalId == null ? "another producer" : "producer " + transactionalId;
    }

    /** Describes when the broker ends it, as the end of a sentence; empty if it is not known. */
    public String describeTimeout() {
        return timesOutAt == null ? "" : "; the broker ends it by " + timesOutAt;
    }
}
