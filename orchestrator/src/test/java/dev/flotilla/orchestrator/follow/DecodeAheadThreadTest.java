package dev.flotilla.orchestrator.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecodeAheadThreadTest {
    private static final SiteId SITE = new SiteId("north");
    private static final int POLLS = 50;
    private static final int RECORDS = 20;

    @Test
    void decodesTheSameOnEitherThread() {
        List<DecodeResult<RowChange>> decoded = new ArrayList<>();
        List<DecodeResult<RowChange>> alone = new ArrayList<>();
        try (DecodeAheadThread ahead = new DecodeAheadThread()) {
            for (int poll = 0; poll < POLLS; poll++) {
                List<ConsumedRecord> reads = reads(poll);
                // More polls than the queue holds: some are rejected, and some are processed while they are decoded.
                ahead.decodeAhead(reads).forEach(decodedRecord -> decoded.add(decodedRecord.decode()));
                reads.forEach(consumedRecord -> alone.add(WireRecordCodec.decode(consumedRecord.record())));
            }
        }
        assertThat(decoded).isEqualTo(alone);
    }

    @Test
    void decodesOnAccessWhatWasNotDecodedAhead() {
        DecodeAheadThread ahead = new DecodeAheadThread();
        ahead.close();

        List<DecodedRecord> arrivals = ahead.decodeAhead(reads(0));

        assertThat(arrivals).hasSize(RECORDS);
        assertThat(arrivals.getFirst().rowChange()).isInstanceOf(WatcherHeartbeat.class);
        assertThat(arrivals.getLast().rowChange()).isNull();
    }

    /** Heartbeats, and an unreadable record at the end. */
    private static List<ConsumedRecord> reads(int poll) {
        List<ConsumedRecord> reads = new ArrayList<>();
        TablePartition tablePartition = TablePartition.of(Table.INVENTORY, SITE);
        for (int i = 0; i < RECORDS - 1; i++) {
            WatcherHeartbeat heartbeat =
                    new WatcherHeartbeat(SITE, "uid-" + poll, "watcher", Instant.ofEpochSecond(i), 0);
            reads.add(new ConsumedRecord(tablePartition, reads.size(), 0, WireRecordCodec.encode(heartbeat)));
        }
        WireRecord good = reads.getFirst().record();
        byte[] garbage = "{".getBytes(StandardCharsets.UTF_8);
        reads.add(new ConsumedRecord(
                tablePartition,
                reads.size(),
                0,
                new WireRecord(good.topic(), 0, good.key(), garbage, WireHeaders.NONE)));
        return reads;
    }
}
