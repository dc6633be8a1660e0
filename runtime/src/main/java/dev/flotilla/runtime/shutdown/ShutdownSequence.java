package dev.flotilla.runtime.shutdown;

import dev.flotilla.runtime.log.LogKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of an orderly shutdown, one after another, each with its own deadline. It blocks the thread of the JVM's shutdown hook,
 * because the JVM exits as soon as the hook returns.
 */
public final class ShutdownSequence {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);

    /** The exit code for a bug in the program (EX_SOFTWARE in sysexits.h). */
    private static final int BUG = 70;

    private record Step(String name, Duration deadline, Supplier<Future<?>> action) {}

    /** The result of a step. */
    public enum ShutdownStepState {
        DONE,
        FAILED,
        LATE
    }

    /** A step and its result. */
    public record ShutdownStepResult(String step, ShutdownStepState result) {}

    private final List<Step> steps = new ArrayList<>();
    private final AtomicBoolean started = new AtomicBoolean();

    /** Adds a step after the existing ones. */
    public ShutdownSequence addStep(String name, Duration deadline, Supplier<Future<?>> action) {
        steps.add(new Step(name, deadline, action));
        return this;
    }

    /** Adds a step that blocks; it runs outside of the event loops. */
    public ShutdownSequence addStep(String name, Duration deadline, Vertx vertx, Runnable blocking) {
        return addStep(
                name,
                deadline,
                () -> vertx.executeBlocking(() -> {
                    blocking.run();
                    return true;
                }));
    }

    /**
     * Shuts the process down because of a bug. It uses a new thread, because an orderly shutdown waits for the thread that requested it.
     */
    public static void exitAfterBug() {
        Thread.ofPlatform().name("end").start(() -> System.exit(BUG));
    }

    /** Runs the steps when the process is terminated (SIGTERM, Ctrl-C). Call it after all steps were added. */
    public void runOnSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::runSteps, "shutdown"));
    }

    /** Runs the steps on the first call. Returns the result of each step. */
    public List<ShutdownStepResult> runSteps() {
        List<ShutdownStepResult> outcomes = new ArrayList<>();
        if (started.compareAndSet(false, true)) {
            for (Step step : steps) {
                ShutdownStepState shutdownStepState = runSteps(step);
                LOG.atInfo()
                        .addKeyValue(LogKey.STEP.label(), step.name())
                        .addKeyValue(LogKey.STEP_STATE.label(), shutdownStepState)
                        .log("shutdown step ended");
                outcomes.add(new ShutdownStepResult(step.name(), shutdownStepState));
            }
        }
        return outcomes;
    }

    private static ShutdownStepState runSteps(Step step) {
        try {
            step.action()
                    .get()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(step.deadline().toMillis(), TimeUnit.MILLISECONDS);
            return ShutdownStepState.DONE;
        } catch (TimeoutException e) {
            return ShutdownStepState.LATE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ShutdownStepState.LATE;
        } catch (ExecutionException | RuntimeException e) {
            // The next steps must run even if this one fails.
            LOG.atWarn()
                    .addKeyValue(LogKey.STEP.label(), step.name())
                    .setCause(e)
                    .log("shutdown step failed");
            return ShutdownStepState.FAILED;
        }
    }
}
