package dev.flotilla.runtime.kafka;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** An admin client whose calls block until a deadline and fail with words. */
final class BlockingAdminClient implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final KafkaClientSettings settings;
    private final Duration deadline;
    private final Admin admin;

    private BlockingAdminClient(KafkaClientSettings settings, Duration deadline, Admin admin) {
        this.settings = settings;
        this.deadline = deadline;
        this.admin = admin;
    }

    /** Opens a client; no broker is asked yet. */
    static BlockingAdminClient open(KafkaClientSettings settings, Duration deadline) {
        try {
            return new BlockingAdminClient(settings, deadline, Admin.create(settings.admin(deadline)));
        } catch (KafkaException e) {
            // The client tells in a cause what is wrong, such as no address or a keystore that it cannot read.
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new KafkaFailure(
                    KafkaFailure.Kind.UNREACHABLE,
                    "no client for Kafka at " + settings.bootstrap() + ": " + cause.getMessage() + "; "
                            + BrokerReachabilityCheck.describeReachability(settings.bootstrap(), settings.protocol()),
                    e);
        }
    }

    /**
     * Calls and waits.
     *
     * @param what is done, as a phrase for the message of a failure
     */
    <T> T call(String what, Function<Admin, KafkaFuture<T>> call) {
        try {
            return tryCall(what, call);
        } catch (ExecutionException e) {
            throw failure(what, e.getCause());
        }
    }

    /** Calls for many and waits for all; whatever topic is not there is left out. */
    <K, T> Map<K, T> callForEach(String what, Function<Admin, Map<K, KafkaFuture<T>>> call) {
        Map<K, T> found = new LinkedHashMap<>();
        call.apply(admin).forEach((key, future) -> {
            try {
                found.put(key, tryCall(what, asked -> future));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw failure(what, e.getCause());
                }
            }
        });
        return found;
    }

    /** As {@link #call}, for whom the broker's refusal may be no failure. */
    <T> T tryCall(String what, Function<Admin, KafkaFuture<T>> call) throws ExecutionException {
        try {
            return call.apply(admin).get(deadline.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw failure(what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaFailure(KafkaFailure.Kind.OTHER, "interrupted while " + what, e);
        }
    }

    /** What the client says of a failed call, and what to look at. */
    KafkaFailure failure(String what, @Nullable Throwable cause) {
        Throwable why = cause == null ? new IllegalStateException("no cause") : cause;
        KafkaFailure.Kind kind = KafkaFailure.of(what, why).kind();
        return new KafkaFailure(kind, what + " at " + settings.bootstrap() + ": " + hint(kind, why), why);
    }

    private String hint(KafkaFailure.Kind kind, Throwable why) {
        String said = why.getClass().getSimpleName() + ": " + why.getMessage();
        return switch (kind) {
            case UNREACHABLE ->
                "no answer within " + deadline.toMillis() + " ms; "
                        + BrokerReachabilityCheck.describeReachability(settings.bootstrap(), settings.protocol());
            case NOT_ALLOWED ->
                why instanceof AuthenticationException
                        ? "the broker does not know us, or we not it (" + said
                                + "): check user and password, or certificate and truststore, and "
                                + AllowedClientProperties.PROTOCOL
                        : "we may not (" + said + "): grant our principal the rights of its component";
            case NO_TOPIC, FENCED, WENT_BACK, OTHER -> said;
        };
    }

    @Override
    public void close() {
        admin.close(GRACE);
    }
}
