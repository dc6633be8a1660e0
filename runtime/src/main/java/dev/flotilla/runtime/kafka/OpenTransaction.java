package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that its producer has not ended. Whoever reads committed records gets none from its first one on, whoever
 * wrote them.
 *
 * @param firstOffset the offset of its first record in the place
 * @param blockedOffsets how many offsets lie behind that one
 * @param transactionalId whose it is; null where we may not know
 * @param timesOutAt when the broker ends it, should the producer not; null where we may not know
 */
public record OpenTransaction(
        TablePartition partition,
        long firstOffset,
        long blockedOffsets,
        @Nullable String transactionalId,
        @Nullable Instant timesOutAt) {
    /** So long an ordinary transaction may take; one that is open for longer is told. */
    public static final Duration TOLD_AFTER = Duration.ofSeconds(3);

    /** The topic, as people write to it. */
    public String topic() {
        return new Topic(partition.table(), partition.site()).name();
    }

    /** What is the matter, as a sentence. */
    public String describeTransaction() {
        return "An open transaction of " + describeProducer() + " holds back " + topic() + " partition "
                + partition.partition() + " from offset " + firstOffset + " on" + describeTimeout() + ".";
    }

    /** Whose it is, as far as we know. */
    public String describeProducer() {
        return transactionalId == null ? "another producer" : "producer " + transactionalId;
    }

    /** When it ends, as the end of a sentence; empty where we do not know. */
    public String describeTimeout() {
        return timesOutAt == null ? "" : "; the broker ends it by " + timesOutAt;
    }
}
