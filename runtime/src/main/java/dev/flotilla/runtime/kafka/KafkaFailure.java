package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.Topic;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Kafka did not do what it was asked to. The kind says what may be done about it. */
public final class KafkaFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What it means for whoever asked. */
    public enum Kind {
        /** Another has the transactional id now: this process is a zombie. */
        FENCED("fenced"),
        /** Not reached in time, or the outcome is not known. */
        UNREACHABLE("unreachable"),
        /** The broker knows us not, or not for this. */
        NOT_ALLOWED("not-allowed"),
        /** The records asked for are not there any more: what was read before may be wrong. */
        WENT_BACK("went-back"),
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

    /** Where the record was to go that Kafka refused; null where no record is known. */
    private final transient @Nullable Topic topic;

    public KafkaFailure(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, null);
    }

    KafkaFailure(Kind kind, String message, @Nullable Throwable cause, @Nullable Topic topic) {
        super(message, cause);
        this.kind = kind;
        this.topic = topic;
    }

    /** The topic that did not take a record; null where none is known to be the cause. */
    public @Nullable Topic topic() {
        return topic;
    }

    public Kind kind() {
        return kind;
    }

    /** What the client threw, in our terms. */
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
            case AuthenticationException refused -> Kind.NOT_ALLOWED;
            case AuthorizationException refused -> Kind.NOT_ALLOWED;
            case OffsetOutOfRangeException gone -> Kind.WENT_BACK;
            case org.apache.kafka.clients.consumer.OffsetOutOfRangeException gone -> Kind.WENT_BACK;
            case NoOffsetForPartitionException gone -> Kind.WENT_BACK;
            case UnknownTopicOrPartitionException unknown -> Kind.NO_TOPIC;
            case RetriableException away -> Kind.UNREACHABLE;
            case java.util.concurrent.TimeoutException late -> Kind.UNREACHABLE;
            default -> Kind.OTHER;
        };
    }
}
