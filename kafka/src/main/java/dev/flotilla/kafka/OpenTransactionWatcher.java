package dev.flotilla.kafka;

import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks regularly, on its own thread, whether an open transaction blocks inputs. A transaction is reported if it blocks a partition
 * from the same offset on for several seconds; the transactions of a busy fleet end sooner.
 */
public final class OpenTransactionWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionWatcher.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final OpenTransactionFinder transactions;
    private final Predicate<Table> inputs;
    private final Consumer<List<OpenTransaction>> listener;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("open-transactions").daemon().factory());
    private final Map<TablePartition, FirstSeen> seen = new HashMap<>();
    private volatile List<OpenTransaction> blockingTransactions = List.of();
    private @Nullable Future<?> checks;

    /** The first blocked offset of a partition, and when it was first seen. */
    private record FirstSeen(long first, long nanos) {}

    /**
     * Starts the checks.
     *
     * @param inputs the tables to check
     * @param listener called with all blocking transactions after each check, on the watcher's thread
     */
    public static OpenTransactionWatcher start(
            KafkaClientSettings settings,
            Duration patience,
            Predicate<Table> inputs,
            Consumer<List<OpenTransaction>> listener) {
        OpenTransactionWatcher watch =
                new OpenTransactionWatcher(new OpenTransactionFinder(settings, patience), inputs, listener);
        watch.checks = watch.thread.scheduleWithFixedDelay(
                watch::tryCheck, CHECK_INTERVAL.toMillis(), CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        return watch;
    }

    private OpenTransactionWatcher(
            OpenTransactionFinder transactions, Predicate<Table> inputs, Consumer<List<OpenTransaction>> listener) {
        this.transactions = transactions;
        this.inputs = inputs;
        this.listener = listener;
    }

    /** Returns the blocking transactions. */
    public List<OpenTransaction> blockingTransactions() {
        return blockingTransactions;
    }

    private void tryCheck() {
        try {
            check(System.nanoTime());
        } catch (KafkaFailure failure) {
            LOG.atDebug()
                    .addKeyValue(LogKey.REASON.label(), failure.kind().label())
                    .addKeyValue(LogKey.DETAIL.label(), failure.getMessage())
                    .log("open transaction check failed");
        }
    }

    private void check(long nanos) {
        Map<TablePartition, OpenTransactionFinder.BlockedOffsets> now =
                transactions.findBlockedPartitions(transactions.inputPartitions(inputs));
        seen.keySet().retainAll(now.keySet());
        List<OpenTransaction> open = new ArrayList<>();
        now.forEach((tablePartition, blockedOffsets) -> {
            FirstSeen before = seen.get(tablePartition);
            if (before == null || before.first() != blockedOffsets.first()) {
                seen.put(tablePartition, new FirstSeen(blockedOffsets.first(), nanos));
            } else if (nanos - before.nanos() >= OpenTransaction.REPORTED_AFTER.toNanos()) {
                open.add(transactions.describe(tablePartition, blockedOffsets));
            }
        });
        blockingTransactions = List.copyOf(open);
        listener.accept(blockingTransactions);
    }

    @Override
    public void close() {
        if (checks != null) {
            checks.cancel(true);
        }
        thread.shutdownNow();
        transactions.close();
    }
}
