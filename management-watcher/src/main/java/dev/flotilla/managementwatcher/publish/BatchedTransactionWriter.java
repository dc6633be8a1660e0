package dev.flotilla.managementwatcher.publish;

import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.json.WireRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is on its way to the tables, in transactions of some records each: those of a whole site would be as large as all that is
 * kept of it. No transaction is open while what comes next is made out, which takes long where little differs.
 */
final class BatchedTransactionWriter implements Consumer<WireRecord> {
    private static final int MOST = 1_000;

    private final TransactionalRowWriter writer;
    private final WatcherLoopListener listener;
    private final OwnTopicResetDetector topics;
    private final List<WireRecord> waiting = new ArrayList<>();

    BatchedTransactionWriter(
            TransactionalRowWriter writer, OwnTopicResetDetector topics, WatcherLoopListener listener) {
        this.writer = writer;
        this.topics = topics;
        this.listener = listener;
    }

    @Override
    public void accept(WireRecord record) {
        waiting.add(record);
        if (waiting.size() == MOST) {
            sendBatches();
        }
    }

    /** Sends what still waits. */
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
