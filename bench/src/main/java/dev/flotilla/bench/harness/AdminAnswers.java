package dev.flotilla.bench.harness;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for results of Kafka's admin client. */
final class AdminAnswers {
    private static final int TIMEOUT_SECONDS = 60;

    private AdminAnswers() {}

    public static <T> T await(String what, KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(what, e);
        }
    }
}
