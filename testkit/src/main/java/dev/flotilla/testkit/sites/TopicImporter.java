package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.errors.WakeupException;

/** Appends the records of the real topics to the simulated log, in the same partitions and order. */
final class TopicImporter implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final List<Table> WRITTEN_TABLES = List.of(Table.INVENTORY, Table.INTENTS, Table.PROGRESS);
    private static final List<Table> READ_TABLES = List.of(Table.COMMANDS, Table.STATUS);

    private final TableReader tableReader;
    private final SimKafkaLog log;
    private final RealTimeWorldLoop loop;
    private final Collection<SiteId> sites;
    private final Thread thread = new Thread(this::run, "inlet");
    private volatile boolean closed;
    private volatile long unreadableRecords;

    TopicImporter(String bootstrap, Collection<SiteId> sites, SimKafkaLog log, RealTimeWorldLoop loop) {
        this.sites = List.copyOf(sites);
        this.log = log;
        this.loop = loop;
        this.tableReader = new TableReader(bootstrap, List.of());
    }

    /** Every partition that the simulated processes write. */
    List<TablePartition> partitionsWrittenBySimulation() {
        return partitionsOf(WRITTEN_TABLES);
    }

    /**
     * Reads all existing records: those of others, and those that the processes of an earlier run wrote, so that they
     * continue as after a crash.
     */
    List<TableRecord> read() {
        List<TablePartition> all = new ArrayList<>(partitionsWrittenBySimulation());
        all.addAll(partitionsOf(READ_TABLES));
        tableReader.followOnly(all);
        List<TableRecord> seen = tableReader.readToEnd();
        tableReader.followOnly(partitionsOf(READ_TABLES));
        unreadableRecords = tableReader.unreadableRecords();
        return seen;
    }

    /** Applies records to the world. No other thread may access it meanwhile. */
    void applyRecords(List<TableRecord> seen) {
        seen.forEach(this::append);
    }

    /** Starts to read what others write from now on. */
    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** The number of records that could not be read and were left out. */
    long unreadableRecords() {
        return unreadableRecords;
    }

    private void run() {
        try {
            while (!closed) {
                List<TableRecord> seen = tableReader.poll(WAIT);
                unreadableRecords = tableReader.unreadableRecords();
                if (!seen.isEmpty()) {
                    loop.enqueue(() -> applyRecords(seen));
                }
            }
        } catch (WakeupException | InterruptedException e) {
            // Closed.
        } catch (RuntimeException e) {
            loop.fail(e);
        } finally {
            tableReader.close();
        }
    }

    private void append(TableRecord tableRecord) {
        // A watcher only reads the site's own row of the status.
        if (!(tableRecord.rowChange() instanceof MachineStatus)) {
            log.append(tableRecord.tablePartition(), tableRecord.rowChange());
        }
    }

    private List<TablePartition> partitionsOf(List<Table> tables) {
        List<TablePartition> partitions = new ArrayList<>();
        for (SiteId site : sites) {
            for (Table table : tables) {
                for (int partition = 0; partition < table.partitions(); partition++) {
                    partitions.add(new TablePartition(table, site, partition));
                }
            }
        }
        return partitions;
    }

    @Override
    public void close() {
        closed = true;
        tableReader.wakeup();
    }
}
