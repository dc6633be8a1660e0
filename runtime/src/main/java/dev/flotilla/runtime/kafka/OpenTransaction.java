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
 * @param first the offset of its first record in the place
 * @param behind how many offsets lie behind that one
 * @param transactionalId whose it is; null where we may not know
 * @param endsBy when the broker ends it, should the producer not; null where we may not know
 */
public record OpenTransaction(
        TablePartition place,
        long first,
        long behind,
        @Nullable String transactionalId,
        @Nullable Instant endsBy) {
    /** So long an ordinary transaction may take; one that is open for longer is told. */
    public static final Duration TOLD_AFTER = Duration.ofSeconds(3);

    /** The topic, as people write to it. */
    public String topic() {
        return new Topic(place.table(), place.site()).name();
    }

    /** What is the matter, as a sentence. */
    public String says() {
        return "An open transaction of " + who() + " holds back " + topic() + " partition " + place.partition()
                + " from offset " + first + " on" + ends() + ".";
    }

    /** Whose it is, as far as we know. */
    public String who() {
        return transactionalId == null ? "another producer" : "producer " + transactionalId;
    }

    /** When it ends, as the end of a sentence; empty where we do not know. */
    public String ends() {
        return endsBy == null ? "" : "; the broker ends it by " + endsBy;
    }
}
