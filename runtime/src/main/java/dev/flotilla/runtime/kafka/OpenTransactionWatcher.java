package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.Table;
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
 * Looks again and again for inputs that an open transaction holds back, on a thread of its own. What is held back from the
 * same offset on for a few seconds is told; the transactions of a busy fleet end sooner.
 */
public final class OpenTransactionWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionWatcher.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final OpenTransactionFinder transactions;
    private final Predicate<Table> inputs;
    private final Consumer<List<OpenTransaction>> listener;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("open-transactions").daemon().factory());
    private final Map<TablePartition, Sighting> seen = new HashMap<>();
    private volatile List<OpenTransaction> blockingTransactions = List.of();
    private @Nullable Future<?> looks;

    /** Where a place was held back when it was looked at first. */
    private record Sighting(long first, long nanos) {}

    /**
     * Begins to look.
     *
     * @param inputs tables to look at
     * @param listener told of all that there are, on the watching thread, each time after they were looked for
     */
    public static OpenTransactionWatcher start(
            KafkaClientSettings settings,
            Duration patience,
            Predicate<Table> inputs,
            Consumer<List<OpenTransaction>> listener) {
        OpenTransactionWatcher watch =
                new OpenTransactionWatcher(new OpenTransactionFinder(settings, patience), inputs, listener);
        watch.looks = watch.thread.scheduleWithFixedDelay(
                watch::tryLook, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
        return watch;
    }

    private OpenTransactionWatcher(
            OpenTransactionFinder transactions, Predicate<Table> inputs, Consumer<List<OpenTransaction>> listener) {
        this.transactions = transactions;
        this.inputs = inputs;
        this.listener = listener;
    }

    /** The transactions that are told now. */
    public List<OpenTransaction> blockingTransactions() {
        return blockingTransactions;
    }

    private void tryLook() {
        try {
            look(System.nanoTime());
        } catch (KafkaFailure failure) {
            LOG.atDebug()
                    .addKeyValue("reason", failure.kind().label())
                    .log("cannot look for open transactions: {}", failure.getMessage());
        }
    }

    private void look(long nanos) {
        Map<TablePartition, OpenTransactionFinder.BlockedOffsets> now =
                transactions.findBlockedPartitions(transactions.inputPartitions(inputs));
        seen.keySet().retainAll(now.keySet());
        List<OpenTransaction> open = new ArrayList<>();
        now.forEach((tablePartition, blockedOffsets) -> {
            Sighting before = seen.get(tablePartition);
            if (before == null || before.first() != blockedOffsets.first()) {
                seen.put(tablePartition, new Sighting(blockedOffsets.first(), nanos));
            } else if (nanos - before.nanos() >= OpenTransaction.TOLD_AFTER.toNanos()) {
                open.add(transactions.describe(tablePartition, blockedOffsets));
            }
        });
        blockingTransactions = List.copyOf(open);
        listener.accept(blockingTransactions);
    }

    @Override
    public void close() {
        if (looks != null) {
            looks.cancel(true);
        }
        thread.shutdownNow();
        transactions.close();
    }
}
