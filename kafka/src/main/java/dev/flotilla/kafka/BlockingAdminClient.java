package dev.flotilla.kafka;

import dev.flotilla.schemas.json.codec.DurationFormat;
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

/** An admin client whose calls block until a deadline and fail with a {@link KafkaFailure} that says what to do. */
final class BlockingAdminClient implements AutoCloseable {
    private static final Duration DEADLINE_GRACE = Duration.ofSeconds(1);

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
            // The cause has the problem, such as no address or an unreadable keystore.
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new KafkaFailure(
                    KafkaFailure.Kind.UNREACHABLE,
                    "cannot create a client for Kafka at " + settings.bootstrap() + ": " + cause.getMessage() + "; "
                            + BrokerReachabilityCheck.describeReachability(settings.bootstrap(), settings.protocol()),
                    e);
        }
    }

    /**
     * Calls the client and waits for the result.
     *
     * @param what the call does, as a phrase for the message of a failure
     */
    <T> T call(String what, Function<Admin, KafkaFuture<T>> call) {
        try {
            return tryCall(what, call);
        } catch (ExecutionException e) {
            throw failure(what, e.getCause());
        }
    }

    /** Calls the client for several topics and waits for all; topics that do not exist are left out. */
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

    /** Like {@link #call}, but throws the client's exception, for callers to whom an error of the broker is no failure. */
    <T> T tryCall(String what, Function<Admin, KafkaFuture<T>> call) throws ExecutionException {
        try {
            return call.apply(admin).get(deadline.plus(DEADLINE_GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw failure(what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaFailure(KafkaFailure.Kind.OTHER, "interrupted while " + what, e);
        }
    }

    /** Returns the failure of a call, with a hint what to check. */
    KafkaFailure failure(String what, @Nullable Throwable cause) {
        Throwable why = cause == null ? new IllegalStateException("no cause") : cause;
        KafkaFailure.Kind kind = KafkaFailure.of(what, why).kind();
        return new KafkaFailure(kind, what + " at " + settings.bootstrap() + ": " + describeHint(kind, why), why);
    }

    private String describeHint(KafkaFailure.Kind kind, Throwable why) {
        String said = why.getClass().getSimpleName() + ": " + why.getMessage();
        return switch (kind) {
            case UNREACHABLE ->
                "no response within " + DurationFormat.print(deadline) + "; "
                        + BrokerReachabilityCheck.describeReachability(settings.bootstrap(), settings.protocol());
            case NOT_ALLOWED ->
                why instanceof AuthenticationException
                        ? "authentication of client or broker failed (" + said
                                + "): check user and password, or certificate and truststore; "
                                + AllowedClientProperties.PROTOCOL
                        : "not authorized (" + said + "): grant the principal the permissions of its component";
            case NO_TOPIC, FENCED, RECORDS_LOST, OTHER -> said;
        };
    }

    @Override
    public void close() {
        admin.close(DEADLINE_GRACE);
    }
}
