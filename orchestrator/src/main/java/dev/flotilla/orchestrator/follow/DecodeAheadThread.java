package dev.flotilla.orchestrator.follow;

import dev.flotilla.kafka.ConsumedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Decodes records that were polled before they are processed, on a second thread, because decoding costs about as much
 * as deciding. Nothing waits for this thread: a record that it has not decoded yet, or that did not fit its queue, is
 * decoded where it is processed.
 */
public final class DecodeAheadThread implements AutoCloseable {
    private static final int MAX_QUEUED_POLLS = 8;

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED_POLLS),
            Thread.ofPlatform().name("decoding").daemon().factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    /** The polled records, to be decoded. The list is not modified afterwards. */
    List<DecodedRecord> decodeAhead(List<ConsumedRecord> reads) {
        List<DecodedRecord> records = new ArrayList<>(reads.size());
        reads.forEach(consumedRecord -> records.add(new DecodedRecord(consumedRecord)));
        if (records.size() > 1) {
            thread.execute(() -> records.forEach(DecodedRecord::decode));
        }
        return records;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
