package dev.flotilla.runtime.shutdown;

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
 * The steps by which a process ends, one after another, each with a deadline of its own. It waits with a blocked thread:
 * the JVM goes as soon as its hook returns, and the last step closes what a future would be completed by.
 */
public final class ShutdownSequence {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);

    /** As a program that ends by a bug of its own, by sysexits.h. */
    private static final int BUG = 70;

    private record Step(String name, Duration deadline, Supplier<Future<?>> action) {}

    /** How a step went. */
    public enum ShutdownStepState {
        DONE,
        FAILED,
        LATE
    }

    /** A step and how it went. */
    public record ShutdownStepResult(String step, ShutdownStepState result) {}

    private final List<Step> steps = new ArrayList<>();
    private final AtomicBoolean begun = new AtomicBoolean();

    /** Adds a step behind those there are. */
    public ShutdownSequence addStep(String name, Duration deadline, Supplier<Future<?>> action) {
        steps.add(new Step(name, deadline, action));
        return this;
    }

    /** Adds a step that blocks, and is done off the event loops. */
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
     * Ends the process, in order, as one that has found a bug of its own. From a thread of its own: the orderly end waits for
     * the thread that asks for it.
     */
    public static void exitAfterBug() {
        Thread.ofPlatform().name("end").start(() -> System.exit(BUG));
    }

    /** Has the steps run when the process is told to end (SIGTERM, Ctrl-C), once all of them are known. */
    public void runOnSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::runSteps, "shutdown"));
    }

    /** Runs the steps, the first time it is called. Returns how each went. */
    public List<ShutdownStepResult> runSteps() {
        List<ShutdownStepResult> outcomes = new ArrayList<>();
        if (begun.compareAndSet(false, true)) {
            for (Step step : steps) {
                ShutdownStepState shutdownStepState = runSteps(step);
                LOG.atInfo()
                        .addKeyValue("step", step.name())
                        .addKeyValue("result", shutdownStepState)
                        .log("stopping");
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
            // Whatever is wrong with this step, the next ones have their own duty to do.
            LOG.atWarn().addKeyValue("step", step.name()).setCause(e).log("could not be stopped in order");
            return ShutdownStepState.FAILED;
        }
    }
}
