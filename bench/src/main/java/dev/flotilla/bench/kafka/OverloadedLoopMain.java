package dev.flotilla.bench.kafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A JVM with the real loop that measures its heap use after full collections, repeatedly. Prints {@code ready}, and
 * answers each input line with the highest value since the last one.
 */
public final class OverloadedLoopMain {
    static final String READY = "ready";
    static final String PEAK = "peak ";

    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(500);

    private static volatile long peak;

    private OverloadedLoopMain() {}

    /** {@code BOOTSTRAP}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        MeasuredOrchestratorLoop loop = new MeasuredOrchestratorLoop(args[0]);
        loop.start();
        loop.awaitLeading();
        Thread thread = new Thread(OverloadedLoopMain::measureHeap, "look");
        thread.setDaemon(true);
        thread.start();
        System.out.println(READY);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(PEAK + peak);
            peak = 0;
        }
        System.exit(0);
    }

    private static void measureHeap() {
        try {
            while (true) {
                System.gc();
                long used =
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
                peak = Math.max(peak, used);
                Thread.sleep(SAMPLE_INTERVAL.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
