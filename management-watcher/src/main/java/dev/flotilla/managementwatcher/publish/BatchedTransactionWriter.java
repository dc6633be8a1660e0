package dev.flotilla.managementwatcher.publish;

import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.schemas.json.WireRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes records in transactions of limited size, because one for a whole site would be as large as all its rows. No
 * transaction is open while the next records are worked out, which takes long if few rows differ.
 */
final class BatchedTransactionWriter implements Consumer<WireRecord> {
    private static final int MAX_BATCH = 1_000;

    private final TransactionalRowWriter writer;
    private final WatcherListener listener;
    private final OwnTopicResetDetector topics;
    private final List<WireRecord> waiting = new ArrayList<>();

    BatchedTransactionWriter(TransactionalRowWriter writer, OwnTopicResetDetector topics, WatcherListener listener) {
        this.writer = writer;
        this.topics = topics;
        this.listener = listener;
    }

    @Override
    public void accept(WireRecord record) {
        waiting.add(record);
        if (waiting.size() == MAX_BATCH) {
            sendBatches();
        }
    }

    /** Sends the records that still wait. */
    void sendBatches() {
        if (!waiting.isEmpty()) {
            writer.begin();
            waiting.forEach(writer::send);
            topics.recordWrite(waiting, writer.commit().nextOffsets());
            listener.rowsPublished(waiting.size());
            waiting.clear();
        }
    }
}
