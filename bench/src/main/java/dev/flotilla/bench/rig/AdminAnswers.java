package dev.flotilla.bench.rig;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for results of Kafka's admin client. */
public final class AdminAnswers {
    private static final int PATIENCE_SECONDS = 60;

    private AdminAnswers() {}

    public static <T> T await(String what, KafkaFuture<T> question) throws InterruptedException {
        try {
            return question.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(what, e);
        }
    }
}
