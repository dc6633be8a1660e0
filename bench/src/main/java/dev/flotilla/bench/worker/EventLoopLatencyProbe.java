package dev.flotilla.bench.worker;

import dev.flotilla.bench.harness.Statistics;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Measures how late timers fire on each event loop of a Vert.x instance. */
final class EventLoopLatencyProbe {
    /** Interval of the timers; shorter ones would disturb the measurement. */
    private static final long EVERY_MILLIS = 20;

    private static final double MILLI = 1e6;
    private static final int PERCENT = 99;

    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /**
     * Delay of a timer: when it was due and when it fired, on the monotonic clock.
     *
     * @param waited how long its thread was runnable but had no processor, in nanoseconds
     */
    record TimerDelay(long dueNanos, long firedNanos, long waited) {
        double millis() {
            return (firedNanos - dueNanos) / MILLI;
        }

        /** Delay without waiting for a processor. */
        double ownMillis() {
            return Math.max(0, firedNanos - dueNanos - waited) / MILLI;
        }

        private boolean overlaps(TimerDelay other) {
            return dueNanos < other.firedNanos && other.dueNanos < firedNanos;
        }
    }

    /** One event loop. */
    private static final class Loop extends VerticleBase {
        private List<TimerDelay> delays = new ArrayList<>();
        private Queue queue = new Queue(null);

        @Override
        public Future<?> start() {
            queue = Queue.ofThisThread();
            next(queue.waited());
            return Future.succeededFuture();
        }

        private void next(long before) {
            long due = System.nanoTime() + EVERY_MILLIS * (long) MILLI;
            vertx.setTimer(EVERY_MILLIS, timer -> {
                long fired = System.nanoTime();
                long waited = queue.waited();
                add(new TimerDelay(due, fired, waited - before));
                next(waited);
            });
        }

        private synchronized void add(TimerDelay timerDelay) {
            delays.add(timerDelay);
        }

        private synchronized List<TimerDelay> drain() {
            List<TimerDelay> taken = delays;
            delays = new ArrayList<>();
            return taken;
        }
    }

    /** Scheduler statistics of a thread; null if the system has none. */
    private record Queue(@Nullable Path file) {
        private static final Path THIS = Path.of("/proc/thread-self");

        static Queue ofThisThread() {
            try {
                Path file = Path.of("/proc", Files.readSymbolicLink(THIS).toString(), "schedstat");
                return new Queue(Files.isReadable(file) ? file : null);
            } catch (IOException | UnsupportedOperationException e) {
                return new Queue(null);
            }
        }

        /** Nanoseconds that the thread has waited for a processor: the second of three numbers. */
        long waited() {
            try {
                return file == null ? 0 : Long.parseLong(Files.readString(file).split(" ", -1)[1]);
            } catch (IOException e) {
                return 0;
            }
        }
    }

    /** Installs a timer on each event loop; the number must be that of all loops. */
    static EventLoopLatencyProbe install(Vertx vertx, int loops) {
        EventLoopLatencyProbe probe = new EventLoopLatencyProbe();
        vertx.deployVerticle(
                        () -> {
                            Loop loop = new Loop();
                            probe.loops.add(loop);
                            return loop;
                        },
                        new DeploymentOptions().setInstances(loops).setThreadingModel(ThreadingModel.EVENT_LOOP))
                .await();
        return probe;
    }

    /** Takes the delays of each loop since the last call. */
    List<List<TimerDelay>> drainDelays() {
        return loops.stream().map(Loop::drain).toList();
    }

    /** The 99th percentile of the delays, in milliseconds. */
    static double percentileDelayMillis(List<TimerDelay> delays, ToDoubleFunction<TimerDelay> by) {
        double[] millis = delays.stream().mapToDouble(by).toArray();
        return millis.length == 0 ? 0 : Statistics.percentile(PERCENT, millis);
    }

    /**
     * Counts how often a loop was late by more than the given time while an idle loop was less than half as late, which
     * excludes delays because other processes had the processors.
     */
    static long blocked(List<TimerDelay> delays, List<TimerDelay> idle, double millis) {
        return delays.stream()
                .filter(timerDelay -> timerDelay.ownMillis() > millis)
                .filter(timerDelay -> idle.stream()
                        .noneMatch(other -> other.overlaps(timerDelay) && other.millis() > timerDelay.millis() / 2))
                .count();
    }
}
