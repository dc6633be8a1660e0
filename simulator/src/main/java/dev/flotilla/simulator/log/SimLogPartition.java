package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One partition: records in the order of their offsets, with gaps left by compaction. */
final class SimLogPartition {
    private final List<SimLogRecord> records = new ArrayList<>();
    private final Map<SimTransaction, Long> open = new LinkedHashMap<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private long end;

    long end() {
        return end;
    }

    /** Removes everything from an offset on, and all open transactions. */
    void truncate(long to) {
        records.removeIf(logged -> logged.offset() >= to);
        open.clear();
        end = to;
    }

    /** The last stable offset: readers of committed records stop at the first offset of an open transaction. */
    long stableEnd() {
        long stable = end;
        for (long first : open.values()) {
            stable = Math.min(stable, first);
        }
        return stable;
    }

    void append(RowKey key, @Nullable RowChange rowChange, long now, @Nullable SimTransaction transaction) {
        if (transaction != null) {
            transaction.addPartition(this, end);
        }
        records.add(new SimLogRecord(end, key, rowChange, now, transaction));
        end++;
    }

    boolean hasOpen(SimTransaction transaction) {
        return open.containsKey(transaction);
    }

    void opened(SimTransaction transaction, long offset) {
        open.put(transaction, offset);
    }

    /** The end marker of a transaction takes an offset, unless truncation has removed the transaction. */
    void ended(SimTransaction transaction) {
        if (open.remove(transaction) != null) {
            end++;
            notifyListeners();
        }
    }

    void addListener(Runnable listener) {
        listeners.add(listener);
    }

    void notifyListeners() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    /** Reads from an offset. Returns the offset to continue at. */
    long read(long from, int most, boolean uncommittedToo, List<SimLogRecord> into) {
        long stop = uncommittedToo ? end : stableEnd();
        int index = indexOf(from);
        int added = 0;
        while (index < records.size()) {
            SimLogRecord next = records.get(index);
            if (next.offset() >= stop) {
                break;
            }
            if (added == most) {
                return next.offset();
            }
            if (next.committed() || (uncommittedToo && !next.aborted())) {
                into.add(next);
                added++;
            }
            index++;
        }
        return Math.max(from, stop);
    }

    /**
     * Removes superseded records, each with a probability, because a cleaner may not have run yet; and old tombstones
     * whose key has no older record left.
     */
    void compact(SeededRandom chance, long horizon, long tombstonesBefore) {
        long stop = Math.min(horizon, stableEnd());
        Map<RowKey, Long> newest = new HashMap<>();
        for (SimLogRecord logged : records) {
            if (logged.offset() < stop && logged.committed()) {
                newest.put(logged.key(), logged.offset());
            }
        }
        Set<RowKey> stillThere = new HashSet<>();
        records.removeIf(logged -> {
            if (logged.offset() >= stop) {
                return false;
            }
            if (logged.aborted()) {
                return true;
            }
            Long latest = newest.get(logged.key());
            if (latest != null && latest > logged.offset()) {
                boolean removed = chance.percent(80);
                if (!removed) {
                    stillThere.add(logged.key());
                }
                return removed;
            }
            return logged.rowChange() instanceof Tombstone
                    && logged.appendedAt() < tombstonesBefore
                    && !stillThere.contains(logged.key());
        });
    }

    private int indexOf(long offset) {
        int low = 0;
        int high = records.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (records.get(middle).offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
