package dev.flotilla.bench.worker;

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

/** How late timers are on each event loop of a Vert.x: by so much everything on it is. */
final class EventLoopLatencyProbe {
    /** More often would cost what is measured beside it. */
    private static final long EVERY_MILLIS = 20;

    private static final double MILLI = 1e6;
    private static final int PERCENT = 99;

    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /**
     * A timer's turn: when it was due and when it came, on the clock that nobody sets.
     *
     * @param waited how long its thread could have run meanwhile and others had all processors, in nanoseconds
     */
    record TimerDelay(long dueNanos, long firedNanos, long waited) {
        double millis() {
            return (firedNanos - dueNanos) / MILLI;
        }

        /** How late it was for what happens on its loop. */
        double ownMillis() {
            return Math.max(0, firedNanos - dueNanos - waited) / MILLI;
        }

        private boolean meets(TimerDelay other) {
            return dueNanos < other.firedNanos && other.dueNanos < firedNanos;
        }
    }

    /** One event loop. */
    private static final class Loop extends VerticleBase {
        private List<TimerDelay> turns = new ArrayList<>();
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
                long came = System.nanoTime();
                long waited = queue.waited();
                add(new TimerDelay(due, came, waited - before));
                next(waited);
            });
        }

        private synchronized void add(TimerDelay timerDelay) {
            turns.add(timerDelay);
        }

        private synchronized List<TimerDelay> take() {
            List<TimerDelay> taken = turns;
            turns = new ArrayList<>();
            return taken;
        }
    }

    /** Where a thread waits for a processor; null where the system does not say. */
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

        /** Nanoseconds since the thread began: the second of three numbers. */
        long waited() {
            try {
                return file == null ? 0 : Long.parseLong(Files.readString(file).split(" ", -1)[1]);
            } catch (IOException e) {
                return 0;
            }
        }
    }

    /** Looks at so many loops, which must be all that there are. */
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

    /** The turns of each loop since they were taken last. */
    List<List<TimerDelay>> drainDelays() {
        return loops.stream().map(Loop::take).toList();
    }

    /** How late most were at most, in milliseconds. */
    static double percentileDelayMillis(List<TimerDelay> turns, ToDoubleFunction<TimerDelay> by) {
        double[] millis = turns.stream().mapToDouble(by).sorted().toArray();
        return millis.length == 0 ? 0 : millis[(int) ((millis.length - 1L) * PERCENT / 100)];
    }

    /**
     * How often a loop was late by more than that while another that has nothing to do was not half as late. That others had
     * the processors is not the loop's doing.
     */
    static long blocked(List<TimerDelay> turns, List<TimerDelay> idle, double millis) {
        return turns.stream()
                .filter(timerDelay -> timerDelay.ownMillis() > millis)
                .filter(timerDelay -> idle.stream()
                        .noneMatch(other -> other.meets(timerDelay) && other.millis() > timerDelay.millis() / 2))
                .count();
    }
}
