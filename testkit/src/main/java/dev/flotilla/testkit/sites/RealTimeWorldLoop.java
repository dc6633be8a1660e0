package dev.flotilla.testkit.sites;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The loop of a world in real time, on its own thread. Others reach the world only through topics. */
final class RealTimeWorldLoop implements WorldExecutor {
    private static final int MAX_QUEUED = 10_000;
    private static final long MAX_WAIT = 200;
    private static final long NANOS = 1_000_000;

    private final BlockingQueue<Runnable> queuedActions = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final long beginMillis = System.currentTimeMillis();
    private final long beginNanos = System.nanoTime();
    private final Thread thread = new Thread(this::run, "world");
    private @Nullable SitesWorld world;
    private Runnable regularAction = () -> {};
    private volatile boolean stopped;

    /** The wall-clock time at the start, advanced monotonically since then. */
    long now() {
        return beginMillis + (System.nanoTime() - beginNanos) / NANOS;
    }

    /** Starts the loop; {@code regularly} runs in each round. */
    void start(SitesWorld newWorld, Runnable regularly) {
        world = newWorld;
        regularAction = regularly;
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs an action in the world later. Blocks while too many actions are queued. */
    void enqueue(Runnable action) throws InterruptedException {
        queuedActions.put(action);
    }

    @Override
    public <T> CompletableFuture<T> execute(Supplier<T> action) throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        enqueue(() -> answer.complete(action.get()));
        return answer;
    }

    /** Completes when the loop has ended: normally by {@link #stop}, exceptionally by a failure. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    void fail(Throwable cause) {
        ended.completeExceptionally(cause);
        stop();
    }

    void stop() {
        stopped = true;
        thread.interrupt();
    }

    private void run() {
        SitesWorld current = world;
        try {
            while (!stopped && current != null) {
                current.advance(now());
                regularAction.run();
                long wait = Math.min(MAX_WAIT, current.scheduler().next() - now());
                Runnable next = queuedActions.poll(Math.max(0, wait), TimeUnit.MILLISECONDS);
                if (next != null) {
                    current.advance(now());
                    next.run();
                }
            }
            ended.complete(null);
        } catch (InterruptedException e) {
            ended.complete(null);
        } catch (RuntimeException | Error e) {
            // A bug: the waiting caller receives it, and the process ends.
            ended.completeExceptionally(e);
        }
    }
}
