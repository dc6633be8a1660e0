package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread that decodes what was read before it is its turn: that costs about as much as deciding on it. Nobody waits for
 * it. What it has not come to is decoded where it is taken, and what it is not given for want of room likewise.
 */
final class DecodeAheadThread implements AutoCloseable {
    private static final int POLLS_QUEUED = 8;

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(POLLS_QUEUED),
            Thread.ofPlatform().name("decoding").daemon().factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    /** What was read, on its way. Nobody changes the list. */
    List<DecodedRecord> decodeAhead(List<ConsumedRecord> reads) {
        List<DecodedRecord> arrivals = new ArrayList<>(reads.size());
        reads.forEach(consumedRecord -> arrivals.add(new DecodedRecord(consumedRecord)));
        if (arrivals.size() > 1) {
            thread.execute(() -> arrivals.forEach(DecodedRecord::decoded));
        }
        return arrivals;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
