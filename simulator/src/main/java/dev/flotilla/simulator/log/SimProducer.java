package dev.flotilla.simulator.log;

import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One session of a transactional id. A newer session of the same id fences it. */
public final class SimProducer {
    private final SimKafkaLog log;
    private final String id;
    private final long epoch;
    private boolean isFenced;
    private @Nullable SimTransaction open;
    private final Map<TablePartition, List<RowChange>> sent = new LinkedHashMap<>();

    SimProducer(SimKafkaLog log, String id, long epoch) {
        this.log = log;
        this.id = id;
        this.epoch = epoch;
    }

    public String id() {
        return id;
    }

    public long epoch() {
        return epoch;
    }

    public boolean isFenced() {
        return isFenced;
    }

    /**
     * Sends a record in the open transaction and begins one if there is none. Returns false if this session is fenced.
     */
    public boolean send(TablePartition tablePartition, RowChange rowChange) {
        if (isFenced) {
            return false;
        }
        SimTransaction transaction = open;
        if (transaction == null) {
            transaction = new SimTransaction();
            open = transaction;
            sent.clear();
        }
        log.append(tablePartition, rowChange.rowKey(), rowChange, transaction);
        sent.computeIfAbsent(tablePartition, absent -> new ArrayList<>()).add(rowChange);
        return true;
    }

    /**
     * Commits what was sent. Returns false if this session is fenced: then none of it becomes visible.
     *
     * @param note handed to commit listeners
     */
    public boolean commit(@Nullable Object note) {
        if (isFenced) {
            return false;
        }
        SimTransaction transaction = open;
        open = null;
        if (transaction != null) {
            transaction.end(SimTransaction.TransactionState.COMMITTED);
            log.committed(this, sent, note);
        }
        return true;
    }

    /** Forgets what was sent to a partition, because the partition has lost it. */
    void dropSentRecords(TablePartition tablePartition) {
        sent.remove(tablePartition);
    }

    public void abort() {
        if (open != null) {
            open.end(SimTransaction.TransactionState.ABORTED);
            open = null;
        }
    }

    void fence() {
        abort();
        isFenced = true;
    }
}
