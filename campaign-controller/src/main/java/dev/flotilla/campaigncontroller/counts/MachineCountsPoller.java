package dev.flotilla.campaigncontroller.counts;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the latest counts, in a thread of its own: nothing waits for an orchestrator. While none answers, objects show the last counts for
 * a minute, and then none.
 */
public final class MachineCountsPoller implements MachineCountsSource, AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final int MAX_FAILURES = 6;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(12);

    private final MachineCountsReader reader;
    private final Consumer<String> problems;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("machine-counts").daemon().unstarted(this::run);
    private volatile SortedMap<String, MachineCounts> latest = Collections.emptySortedMap();

    private MachineCountsPoller(MachineCountsReader reader, Consumer<String> problems) {
        this.reader = reader;
        this.problems = problems;
    }

    /**
     * Starts to read.
     *
     * @param problems receives why a read failed; an empty text after a success
     */
    public static MachineCountsPoller start(Vertx vertx, OrchestratorApiConfig config, Consumer<String> problems) {
        MachineCountsPoller poller = new MachineCountsPoller(new MachineCountsReader(vertx, config), problems);
        poller.thread.start();
        return poller;
    }

    @Override
    public @Nullable MachineCounts find(String campaign, long uid) {
        MachineCounts counts = latest.get(campaign);
        return counts != null && counts.uid() == uid ? counts : null;
    }

    private void run() {
        int failures = 0;
        try {
            do {
                try {
                    latest = Collections.unmodifiableSortedMap(reader.read(latest));
                    failures = 0;
                    problems.accept("");
                } catch (IOException | RuntimeException failure) {
                    failures++;
                    if (failures == MAX_FAILURES) {
                        latest = new TreeMap<>();
                    }
                    problems.accept(String.valueOf(failure.getMessage()));
                }
            } while (!stopped.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
