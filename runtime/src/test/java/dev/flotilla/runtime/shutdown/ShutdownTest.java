package dev.flotilla.runtime.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.shutdown.Shutdown.Outcome;
import dev.flotilla.runtime.shutdown.Shutdown.Result;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownTest {
    private final List<String> ran = new ArrayList<>();

    private Future<?> run(String name) {
        ran.add(name);
        return Future.succeededFuture();
    }

    @Test
    void runsTheStepsInOrderAndPastThoseThatFailOrHang() {
        Duration moment = Duration.ofMillis(20);
        Shutdown shutdown = new Shutdown()
                .then("server", moment, () -> run("server"))
                .then("hangs", moment, () -> Promise.promise().future())
                .then("fails", moment, () -> Future.failedFuture("no"))
                .then("throws", moment, () -> {
                    throw new IllegalStateException("no");
                })
                .then("vertx", moment, () -> run("vertx"));
        assertThat(shutdown.run())
                .containsExactly(
                        new Outcome("server", Result.DONE),
                        new Outcome("hangs", Result.LATE),
                        new Outcome("fails", Result.FAILED),
                        new Outcome("throws", Result.FAILED),
                        new Outcome("vertx", Result.DONE));
        assertThat(ran).containsExactly("server", "vertx");
        assertThat(shutdown.run()).as("a second signal").isEmpty();
    }
}
