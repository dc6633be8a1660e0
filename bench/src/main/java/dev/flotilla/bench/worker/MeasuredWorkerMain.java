package dev.flotilla.bench.worker;

import dev.flotilla.nodeworker.Main;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A node-worker process that answers {@code heap} with the bytes in use after full collections and the number of
 * threads, and {@code loops} with the 99th percentile of the delay of its worst event loop and of an idle one, how
 * often only one of its loops was blocked, and both percentiles without waiting for a processor.
 */
final class MeasuredWorkerMain {
    static final String HEAP = "heap";
    static final String LOOPS = "loops";

    /** Number of collections; weakly reachable objects need a second one. */
    private static final int COLLECTIONS = 3;

    private static final double BLOCKED_MILLIS = 100;

    private MeasuredWorkerMain() {}

    /** Runs the worker with its arguments. */
    public static void main(String[] args) throws Exception {
        Vertx vertx = Vertx.vertx();
        EventLoopLatencyProbe busy = EventLoopLatencyProbe.install(vertx, VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE);
        EventLoopLatencyProbe idle =
                EventLoopLatencyProbe.install(Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1)), 1);
        Main.main(vertx, args);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(line.equals(HEAP) ? heap() : loops(busy, idle));
        }
        System.exit(0);
    }

    private static String heap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return HEAP + " "
                + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " "
                + ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static String loops(EventLoopLatencyProbe busy, EventLoopLatencyProbe idle) {
        List<EventLoopLatencyProbe.TimerDelay> empty = new ArrayList<>();
        idle.drainDelays().forEach(empty::addAll);
        double worst = 0;
        double worstOwn = 0;
        long blocked = 0;
        for (List<EventLoopLatencyProbe.TimerDelay> loop : busy.drainDelays()) {
            worst = Math.max(
                    worst, EventLoopLatencyProbe.percentileDelayMillis(loop, EventLoopLatencyProbe.TimerDelay::millis));
            worstOwn = Math.max(
                    worstOwn,
                    EventLoopLatencyProbe.percentileDelayMillis(loop, EventLoopLatencyProbe.TimerDelay::ownMillis));
            blocked += EventLoopLatencyProbe.blocked(loop, empty, BLOCKED_MILLIS);
        }
        return String.format(
                Locale.ROOT,
                "%s %.4f %.4f %d %.4f %.4f",
                LOOPS,
                worst,
                EventLoopLatencyProbe.percentileDelayMillis(empty, EventLoopLatencyProbe.TimerDelay::millis),
                blocked,
                worstOwn,
                EventLoopLatencyProbe.percentileDelayMillis(empty, EventLoopLatencyProbe.TimerDelay::ownMillis));
    }
}
