package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.errors.WakeupException;

/** What the real topics say, on its way into the log of the simulated processes, at the same places and in order. */
final class TopicImporter implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final List<Table> OWN = List.of(Table.INVENTORY, Table.INTENTS, Table.PROGRESS);
    private static final List<Table> OTHERS = List.of(Table.COMMANDS, Table.STATUS);

    private final TableReader view;
    private final SimKafkaLog log;
    private final RealTimeWorldLoop loop;
    private final Collection<SiteId> sites;
    private final Thread thread = new Thread(this::run, "inlet");
    private volatile boolean over;
    private volatile long unreadableRecords;

    TopicImporter(String bootstrap, Collection<SiteId> sites, SimKafkaLog log, RealTimeWorldLoop loop) {
        this.sites = List.copyOf(sites);
        this.log = log;
        this.loop = loop;
        this.view = new TableReader(bootstrap, List.of());
    }

    /** Every place that the simulated processes write. */
    List<TablePartition> partitionsWrittenBySimulation() {
        return places(OWN);
    }

    /**
     * Reads what there is: what others wrote, and what the processes of an earlier run wrote themselves, so that they go
     * on as after a crash.
     */
    List<TableRecord> read() {
        List<TablePartition> all = new ArrayList<>(partitionsWrittenBySimulation());
        all.addAll(places(OTHERS));
        view.followOnly(all);
        List<TableRecord> seen = view.readToEnd();
        view.followOnly(places(OTHERS));
        unreadableRecords = view.unreadableRecords();
        return seen;
    }

    /** Hands it to the world. Nobody else may touch that meanwhile. */
    void applyRecords(List<TableRecord> seen) {
        seen.forEach(this::append);
    }

    /** Goes on reading what others write. */
    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** How many records could not be read, and were left out. */
    long unreadableRecords() {
        return unreadableRecords;
    }

    private void run() {
        try {
            while (!over) {
                List<TableRecord> seen = view.poll(WAIT);
                unreadableRecords = view.unreadableRecords();
                if (!seen.isEmpty()) {
                    loop.enqueue(() -> applyRecords(seen));
                }
            }
        } catch (WakeupException | InterruptedException e) {
            // Closed.
        } catch (RuntimeException e) {
            loop.fail(e);
        } finally {
            view.close();
        }
    }

    private void append(TableRecord tableRecord) {
        // A watcher reads of the status what concerns its site alone.
        if (!(tableRecord.fact() instanceof MachineStatus)) {
            log.append(tableRecord.place(), tableRecord.fact());
        }
    }

    private List<TablePartition> places(List<Table> tables) {
        List<TablePartition> places = new ArrayList<>();
        for (SiteId site : sites) {
            for (Table table : tables) {
                for (int partition = 0; partition < table.partitions(); partition++) {
                    places.add(new TablePartition(table, site, partition));
                }
            }
        }
        return places;
    }

    @Override
    public void close() {
        over = true;
        view.wakeup();
    }
}
