package dev.flotilla.testkit.sites;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A thread of its own, for a world that nobody reaches but by its topics. */
final class RealTimeWorldLoop implements WorldExecutor {
    private static final int MOST_WAITING = 10_000;
    private static final long LONGEST_WAIT = 200;
    private static final long NANOS = 1_000_000;

    private final BlockingQueue<Runnable> asked = new ArrayBlockingQueue<>(MOST_WAITING);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final long beginMillis = System.currentTimeMillis();
    private final long beginNanos = System.nanoTime();
    private final Thread thread = new Thread(this::run, "world");
    private @Nullable SitesWorld world;
    private Runnable often = () -> {};
    private volatile boolean over;

    /** The time of the wall clock as it was at first, and steady from then on. */
    long now() {
        return beginMillis + (System.nanoTime() - beginNanos) / NANOS;
    }

    /** Begins; {@code regularly} is run every now and then. */
    void start(SitesWorld what, Runnable regularly) {
        world = what;
        often = regularly;
        thread.setDaemon(true);
        thread.start();
    }

    /** Does something in the world, later. Waits where too much waits already. */
    void enqueue(Runnable action) throws InterruptedException {
        asked.put(action);
    }

    @Override
    public <T> CompletableFuture<T> execute(Supplier<T> question) throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        enqueue(() -> answer.complete(question.get()));
        return answer;
    }

    /** Ends when the loop has ended: by {@link #stop}, or with what went wrong. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    void fail(Throwable why) {
        ended.completeExceptionally(why);
        stop();
    }

    void stop() {
        over = true;
        thread.interrupt();
    }

    private void run() {
        SitesWorld playing = world;
        try {
            while (!over && playing != null) {
                playing.advance(now());
                often.run();
                long wait = Math.min(LONGEST_WAIT, playing.scheduler().next() - now());
                Runnable next = asked.poll(Math.max(0, wait), TimeUnit.MILLISECONDS);
                if (next != null) {
                    playing.advance(now());
                    next.run();
                }
            }
            ended.complete(null);
        } catch (InterruptedException e) {
            ended.complete(null);
        } catch (RuntimeException | Error e) {
            // A bug: whoever waits for the end learns of it, and the process goes down.
            ended.completeExceptionally(e);
        }
    }
}
