package dev.flotilla.runtime.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.shutdown.ShutdownSequence.ShutdownStepResult;
import dev.flotilla.runtime.shutdown.ShutdownSequence.ShutdownStepState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownSequenceTest {
    private final List<String> ran = new ArrayList<>();

    private Future<?> run(String name) {
        ran.add(name);
        return Future.succeededFuture();
    }

    @Test
    void runsStepsInOrderEvenIfSomeFailOrHang() {
        Duration moment = Duration.ofMillis(20);
        ShutdownSequence shutdownSequence = new ShutdownSequence()
                .addStep("server", moment, () -> run("server"))
                .addStep("hangs", moment, () -> Promise.promise().future())
                .addStep("fails", moment, () -> Future.failedFuture("no"))
                .addStep("throws", moment, () -> {
                    throw new IllegalStateException("no");
                })
                .addStep("vertx", moment, () -> run("vertx"));
        assertThat(shutdownSequence.runSteps())
                .containsExactly(
                        new ShutdownStepResult("server", ShutdownStepState.DONE),
                        new ShutdownStepResult("hangs", ShutdownStepState.LATE),
                        new ShutdownStepResult("fails", ShutdownStepState.FAILED),
                        new ShutdownStepResult("throws", ShutdownStepState.FAILED),
                        new ShutdownStepResult("vertx", ShutdownStepState.DONE));
        assertThat(ran).containsExactly("server", "vertx");
        assertThat(shutdownSequence.runSteps()).as("a second signal").isEmpty();
    }
}
