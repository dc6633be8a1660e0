package dev.flotilla.bench.harness;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.errors.WakeupException;

/** Follows the journal as a reader of committed records, with times. */
public final class JournalWatcher implements AutoCloseable {
    public static final String LEADER_ELECTED = "leader-elected";
    public static final String ADMITTED = "attempt-admitted";
    public static final String SUCCEEDED = "attempt-succeeded";

    private static final Duration POLL = Duration.ofMillis(200);

    private final TableReader reader;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final List<Long> firstAdmissions = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "journal");
    private volatile boolean closed;
    private boolean awaitsAdmission;

    private JournalWatcher(String bootstrap) {
        this.reader = new TableReader(bootstrap, List.of(TablePartition.of(Table.JOURNAL)));
    }

    public static JournalWatcher start(String bootstrap) {
        JournalWatcher watcher = new JournalWatcher(bootstrap);
        watcher.thread.setDaemon(true);
        watcher.thread.start();
        return watcher;
    }

    /** Number of these events so far. */
    public int count(String event) {
        return counts.getOrDefault(event, 0);
    }

    /** Number of terms that have admitted a machine. */
    public int admittingTerms() {
        return firstAdmissions.size();
    }

    /** Wall-clock time at which the first admission of the newest term was read, in milliseconds. */
    public long firstAdmission() {
        return firstAdmissions.getLast();
    }

    private void run() {
        try {
            while (!closed) {
                List<TableRecord> records = reader.poll(POLL);
                long now = System.currentTimeMillis();
                records.forEach(each -> count(each, now));
            }
        } catch (WakeupException e) {
            // Closed.
        } finally {
            reader.close();
        }
    }

    private void count(TableRecord tableRecord, long now) {
        if (tableRecord.rowChange() instanceof JournalRecord record) {
            if (record.event().equals(LEADER_ELECTED)) {
                awaitsAdmission = true;
            } else if (awaitsAdmission && record.event().equals(ADMITTED)) {
                awaitsAdmission = false;
                firstAdmissions.add(now);
            }
            counts.merge(record.event(), 1, Integer::sum);
        }
    }

    @Override
    public void close() {
        closed = true;
        reader.wakeup();
    }
}
