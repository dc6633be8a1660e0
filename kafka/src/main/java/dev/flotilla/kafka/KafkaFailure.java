package dev.flotilla.kafka;

import dev.flotilla.schemas.topic.Topic;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** A failed operation of Kafka. Its kind tells the caller what to do. */
public final class KafkaFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of failure, by what the caller can do. */
    public enum Kind {
        /** Another process uses the transactional id now: this process is a zombie. */
        FENCED("fenced"),
        /** Kafka did not answer in time, so the outcome may not be known. */
        UNREACHABLE("unreachable"),
        /** Authentication or authorization failed. */
        NOT_ALLOWED("not-allowed"),
        /** The requested records no longer exist: the topic lost records, so what was read before may be wrong. */
        RECORDS_LOST("records-lost"),
        NO_TOPIC("no-topic"),
        OTHER("other");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    private final Kind kind;

    /** The partition of the record that Kafka rejected; null if it is not known. */
    private final transient @Nullable Topic topic;

    public KafkaFailure(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, null);
    }

    KafkaFailure(Kind kind, String message, @Nullable Throwable cause, @Nullable Topic topic) {
        super(message, cause);
        this.kind = kind;
        this.topic = topic;
    }

    /** Returns the topic that did not accept a record; null if it is not known. */
    public @Nullable Topic topic() {
        return topic;
    }

    public Kind kind() {
        return kind;
    }

    /** Translates an exception of the client. */
    static KafkaFailure of(String doing, Throwable thrown) {
        if (thrown instanceof KafkaFailure known) {
            return known;
        }
        Kind kind = Kind.OTHER;
        for (Throwable each = thrown; each != null && kind == Kind.OTHER; each = each.getCause()) {
            kind = kind(each);
        }
        return new KafkaFailure(kind, doing + ": " + thrown, thrown);
    }

    private static Kind kind(Throwable thrown) {
        return switch (thrown) {
            case ProducerFencedException fenced -> Kind.FENCED;
            case InvalidProducerEpochException fenced -> Kind.FENCED;
            // Brokers answer a commit like this while the next producer is halfway through fencing this one.
            case InvalidTxnStateException fenced -> Kind.FENCED;
            case AuthenticationException refused -> Kind.NOT_ALLOWED;
            case AuthorizationException refused -> Kind.NOT_ALLOWED;
            case OffsetOutOfRangeException outOfRange -> Kind.RECORDS_LOST;
            case org.apache.kafka.clients.consumer.OffsetOutOfRangeException outOfRange -> Kind.RECORDS_LOST;
            case NoOffsetForPartitionException outOfRange -> Kind.RECORDS_LOST;
            case UnknownTopicOrPartitionException unknown -> Kind.NO_TOPIC;
            case RetriableException away -> Kind.UNREACHABLE;
            case java.util.concurrent.TimeoutException late -> Kind.UNREACHABLE;
            default -> Kind.OTHER;
        };
    }
}
