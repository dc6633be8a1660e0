package dev.flotilla.bench.watcher;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.flotilla.managementwatcher.Main;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * A management-watcher process that answers {@code heap} with the bytes in use after full collections, and the most in
 * use after any earlier full collection.
 */
final class MeasuredWatcherMain {
    static final String HEAP = "heap";

    /** Number of collections; weakly reachable objects need a second one. */
    private static final int COLLECTIONS = 3;

    private static final String LARGE = "end of major GC";

    private static final AtomicLong MOST = new AtomicLong();

    private MeasuredWatcherMain() {}

    /** Runs the watcher with its arguments. */
    public static void main(String[] args) throws Exception {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector)
                    .addNotificationListener(
                            (notification, nothing) -> recordCollection(
                                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())),
                            null,
                            null);
        }
        Main.main(args);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(heap());
        }
        System.exit(0);
    }

    /** Only full collections count, because a small one leaves garbage. */
    private static void recordCollection(GarbageCollectionNotificationInfo collection) {
        if (!collection.getGcAction().equals(LARGE)) {
            return;
        }
        long heap = collection.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> pool.getKey().contains("Tenured")
                        || pool.getKey().contains("Eden")
                        || pool.getKey().contains("Survivor"))
                .map(Map.Entry::getValue)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
        MOST.accumulateAndGet(heap, Math::max);
    }

    private static String heap() {
        long most = MOST.get();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return HEAP + " "
                + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " " + most;
    }
}
