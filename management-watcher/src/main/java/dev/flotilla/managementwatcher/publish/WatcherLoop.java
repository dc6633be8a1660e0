package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.watch.WatchEventHandler;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread that owns what is known of a site. It is the one writer of the site's tables; once another has fenced it, it stands
 * by, and takes over when that one's heartbeats have ceased.
 */
public final class WatcherLoop implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int POLL_RECORDS = 2_000;
    private static final long PAUSE = 500;
    private static final long TICK = 50;

    /** Heartbeats come every ten seconds. */
    private static final long SILENT = 25_000;

    private static final long END_WITHIN = 10_000;

    private final WatcherContext watcherContext;
    private final Supplier<@Nullable String> identity;
    private final ObjectChangeQueue objectChangeQueue;
    private final SiteObjectCache view = new SiteObjectCache();
    private final Thread thread;
    private volatile boolean over;

    /**
     * A loop.
     *
     * @param identity asks for the uid of the management cluster; null while it cannot be had
     */
    public WatcherLoop(WatcherContext watcherContext, Supplier<@Nullable String> identity) {
        this.watcherContext = watcherContext;
        this.identity = identity;
        this.objectChangeQueue =
                new ObjectChangeQueue(watcherContext.clock()::monotonicMillis, watcherContext.listener());
        this.thread = Thread.ofPlatform()
                .name("watcher")
                .uncaughtExceptionHandler(
                        (ended, bug) -> watcherContext.listener().loopFailed(bug))
                .unstarted(this::work);
    }

    /** Where what is seen goes. */
    public WatchEventHandler eventHandler() {
        return objectChangeQueue;
    }

    public void start() {
        thread.start();
    }

    /** Ends it, and waits for that. */
    @Override
    public void close() {
        over = true;
        try {
            thread.join(END_WITHIN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        try {
            String management = management();
            while (!over && management != null) {
                DetectedSiteMode mode = watcherContext.mode().get();
                if (mode == null) {
                    idle(PAUSE);
                    continue;
                }
                try {
                    write(management, mode.mode());
                } catch (KafkaFailure failure) {
                    watcherContext.listener().writerStateChanged(false);
                    watcherContext.listener().kafkaFailed(failure.kind().label(), String.valueOf(failure.getMessage()));
                    boolean fenced = failure.kind() == KafkaFailure.Kind.FENCED;
                    idle(PAUSE);
                    if (fenced) {
                        standBy();
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable String management() throws InterruptedException {
        while (!over) {
            String uid = identity.get();
            if (uid != null) {
                return uid;
            }
            idle(2 * PAUSE);
        }
        return null;
    }

    /** A life as the one writer, for as long as the site's mode is the same: nearly everything follows from it. */
    private void write(String management, SiteMode mode) throws InterruptedException {
        try (PartitionReader reader = reader();
                SiteWriterSession siteWriterSession = new SiteWriterSession(watcherContext, management, mode, view)) {
            siteWriterSession.openSession(reader);
            long asksAgain = Long.MIN_VALUE;
            while (!over && isStill(mode)) {
                objectChangeQueue.drainChanges(view, TICK);
                // Whatever is seen: a question to Kafka costs more than what is done about it.
                if (watcherContext.clock().monotonicMillis() >= asksAgain) {
                    asksAgain = watcherContext.clock().monotonicMillis() + TICK;
                    for (ConsumedRecord consumedRecord : reader.poll(Duration.ZERO)) {
                        siteWriterSession.applyRecord(consumedRecord);
                    }
                }
                siteWriterSession.writeDueRows(!objectChangeQueue.isReadFailing(SiteWriterSession.BLIND));
            }
            watcherContext.listener().writerStateChanged(false);
        }
    }

    private boolean isStill(SiteMode mode) {
        DetectedSiteMode now = watcherContext.mode().get();
        return now != null && now.mode() == mode;
    }

    /** Waits until nobody else says that it watches this site. */
    private void standBy() throws InterruptedException {
        while (!over) {
            try (PartitionReader reader = reader()) {
                TablePartition inventory = TablePartition.of(Table.INVENTORY, watcherContext.site());
                reader.assign(List.of(inventory));
                Map<TablePartition, Long> ends = reader.endOffsets(List.of(inventory));
                reader.seek(inventory, ends.getOrDefault(inventory, 0L));
                long heard = watcherContext.clock().monotonicMillis();
                while (!over && watcherContext.clock().monotonicMillis() - heard < SILENT) {
                    objectChangeQueue.drainChanges(view, TICK);
                    if (reader.poll(Duration.ZERO).stream().anyMatch(this::isHeartbeat)) {
                        heard = watcherContext.clock().monotonicMillis();
                    }
                }
                return;
            } catch (KafkaFailure failure) {
                watcherContext.listener().kafkaFailed(failure.kind().label(), String.valueOf(failure.getMessage()));
                idle(PAUSE);
            }
        }
    }

    private boolean isHeartbeat(ConsumedRecord consumedRecord) {
        String key = RecordKeyFormat.print(new RowKey(Table.INVENTORY, watcherContext.site()));
        return Objects.equals(consumedRecord.record().key(), key);
    }

    private PartitionReader reader() {
        return PartitionReader.forFewPartitions(
                watcherContext.kafka(), watcherContext.name() + "-tables", POLL_RECORDS, PATIENCE);
    }

    /** Nobody who sees has to wait meanwhile. */
    private void idle(long millis) throws InterruptedException {
        long until = watcherContext.clock().monotonicMillis() + millis;
        while (!over && watcherContext.clock().monotonicMillis() < until) {
            objectChangeQueue.drainChanges(view, TICK);
        }
    }
}
