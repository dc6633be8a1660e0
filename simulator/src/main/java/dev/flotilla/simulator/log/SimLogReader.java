package dev.flotilla.simulator.log;

import dev.flotilla.core.leader.InputRecord;
import dev.flotilla.core.leader.RejectedRecordFactory;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads partitions from its current position. Partitions may be delayed: order holds only within a partition. */
public final class SimLogReader {
    private final SimKafkaLog log;
    private final boolean uncommittedToo;
    private final Map<TablePartition, Position> positions = new LinkedHashMap<>();

    /** A record and the partition that it was read from. */
    public record FetchedRecord(TablePartition partition, SimLogRecord logged) implements InputRecord {
        @Override
        public long offset() {
            return logged.offset();
        }

        @Override
        public @Nullable String writtenKey() {
            return RecordKeyFormat.print(logged.key());
        }

        @Override
        public long appendedAt() {
            return logged.appendedAt();
        }

        @Override
        public @Nullable RowChange rowChange() {
            return logged.rowChange();
        }

        @Override
        public @Nullable RejectedRecord findDefect(Instant at) {
            return logged.rowChange() != null
                    ? null
                    : new RejectedRecord(
                            RejectedRecordFactory.keyOf(partition, writtenKey()),
                            offset(),
                            RejectionReason.NOT_JSON,
                            "",
                            "",
                            "is not JSON",
                            at);
        }
    }

    /** The position in one partition. */
    private static final class Position {
        private final TablePartition tablePartition;
        private final SimLogPartition partition;
        private long next;
        private long delayedUntil;
        private boolean paused;

        private Position(TablePartition tablePartition, SimLogPartition partition) {
            this.tablePartition = tablePartition;
            this.partition = partition;
        }
    }

    public SimLogReader(SimKafkaLog log) {
        this(log, false);
    }

    public SimLogReader(SimKafkaLog log, boolean uncommittedToo) {
        this.log = log;
        this.uncommittedToo = uncommittedToo;
    }

    private Position at(TablePartition tablePartition) {
        return positions.computeIfAbsent(tablePartition, absent -> new Position(absent, log.partition(absent)));
    }

    public void seek(TablePartition tablePartition, long offset) {
        at(tablePartition).next = offset;
    }

    public long position(TablePartition tablePartition) {
        return at(tablePartition).next;
    }

    public List<TablePartition> partitionKeys() {
        return List.copyOf(positions.keySet());
    }

    /** Delays a partition: its records do not arrive before an instant. */
    public void delayRecords(TablePartition tablePartition, long until) {
        at(tablePartition).delayedUntil = until;
    }

    /** Pauses or resumes a partition; a paused partition is not polled. */
    public void pausePartition(TablePartition tablePartition, boolean paused) {
        at(tablePartition).paused = paused;
    }

    /** Whether a partition that it reads now ends before its position: records that it has read no longer exist. */
    public boolean hasOffsetMovedBack() {
        for (Position position : positions.values()) {
            if (!position.paused && position.next > position.partition.end()) {
                return true;
            }
        }
        return false;
    }

    /** Reads up to {@code most} records from all partitions that are neither delayed nor paused. */
    public List<FetchedRecord> poll(long now, int most) {
        List<FetchedRecord> fetched = new ArrayList<>();
        for (Position position : positions.values()) {
            if (fetched.size() < most && position.delayedUntil <= now && !position.paused) {
                read(position, position.partition.end(), most - fetched.size(), fetched);
            }
        }
        return fetched;
    }

    /** Reads one partition up to an offset. */
    public List<FetchedRecord> upTo(TablePartition tablePartition, long stop) {
        List<FetchedRecord> fetched = new ArrayList<>();
        read(at(tablePartition), stop, Integer.MAX_VALUE, fetched);
        return fetched;
    }

    private void read(Position position, long stop, int most, List<FetchedRecord> into) {
        if (position.next >= Math.min(stop, position.partition.end())) {
            return;
        }
        List<SimLogRecord> records = new ArrayList<>();
        long next = position.partition.read(position.next, most, uncommittedToo, records);
        for (SimLogRecord logged : records) {
            if (logged.offset() >= stop) {
                next = logged.offset();
                break;
            }
            into.add(new FetchedRecord(position.tablePartition, logged));
        }
        position.next = Math.min(next, Math.max(stop, position.next));
    }
}
