package dev.flotilla.bench.watcher;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Cost of many Machines for a watcher: heap for each, and time until all are in the tables. */
final class ManyMachinesBenchmark implements Benchmark {
    private static final SiteId SITE = new SiteId("site-1");
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long TIMEOUT = Duration.ofMinutes(4).toNanos();
    private static final double SECOND = 1e9;

    /** A small heap, which is fully collected often during the list, so that the heap in use shows what is needed. */
    private static final List<String> FLAGS = List.of("-Xmx128m", "-Xmn8m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private final int machines;

    ManyMachinesBenchmark(boolean tiny) {
        this.machines = tiny ? 600 : 10_000;
    }

    @Override
    public List<String> ids() {
        return List.of("P9a", "P9b", "W1", "W2");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        try (ManagementApiServer managementApiServer = ManagementApiServer.start();
                KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            kafkaTestBed.createTables(List.of(SITE));
            try (Tables tables = new Tables(kafkaTestBed)) {
                watch(kafkaTestBed, managementApiServer, tables, measurements);
            }
        }
    }

    private void watch(
            KafkaTestBed kafkaTestBed,
            ManagementApiServer managementApiServer,
            Tables tables,
            Measurements measurements)
            throws InterruptedException, IOException {
        ChildProcess empty = watcher(kafkaTestBed, managementApiServer, "empty");
        tables.awaitHeartbeat("empty", empty);
        long none = heap(empty).used();
        empty.kill();
        managementApiServer.fill(machines);
        long began = System.nanoTime();
        ChildProcess first = watcher(kafkaTestBed, managementApiServer, "first");
        tables.awaitMachines(machines, first);
        double published = (System.nanoTime() - began) / SECOND;
        tables.awaitHeartbeat("first", first);
        Heap all = heap(first);
        first.kill();
        began = System.nanoTime();
        ChildProcess second = watcher(kafkaTestBed, managementApiServer, "second");
        tables.awaitHeartbeat("second", second);
        double reconciled = (System.nanoTime() - began) / SECOND;
        addRetainedHeap(measurements, (double) (all.used() - none) / machines);
        addPeakHeap(measurements, Math.max(0, all.most() - all.used()), managementApiServer.measurePageSize());
        addTimes(measurements, published, reconciled, tables.machineRows() - machines);
    }

    private ChildProcess watcher(KafkaTestBed kafkaTestBed, ManagementApiServer managementApiServer, String name)
            throws InterruptedException {
        ChildProcess watcher = kafkaTestBed.launch(
                name,
                FLAGS,
                MeasuredWatcherMain.class.getName(),
                "--bootstrap",
                kafkaTestBed.bootstrap(),
                "--instance",
                name,
                "--site",
                SITE.name(),
                "--kubeconfig",
                managementApiServer.kubeconfig().toString());
        watcher.awaitLine("ready at");
        return watcher;
    }

    /** Bytes in use, and the most in use after a collection. */
    private record Heap(long used, long most) {}

    private static Heap heap(ChildProcess watcher) throws InterruptedException, IOException {
        watcher.sendLine(MeasuredWatcherMain.HEAP);
        String[] output = watcher.awaitLine(MeasuredWatcherMain.HEAP + " ").split(" ", -1);
        return new Heap(Long.parseLong(output[1]), Long.parseLong(output[2]));
    }

    /** Tables that the watchers write, read by a plain client. */
    private static final class Tables implements AutoCloseable {
        private final TableReader reader;
        private final Set<MachineKey> machines = new HashSet<>();
        private String writer = "";
        private int rows;

        private Tables(KafkaTestBed kafkaTestBed) {
            this.reader = new TableReader(kafkaTestBed.bootstrap(), List.of(TablePartition.of(Table.INVENTORY, SITE)));
        }

        private void awaitMachines(int expected, ChildProcess watcher) {
            long until = System.nanoTime() + TIMEOUT;
            while (machines.size() < expected) {
                poll(until, watcher);
            }
        }

        /** Waits for a heartbeat, which a watcher sends when it has read all objects and written all differences. */
        private void awaitHeartbeat(String name, ChildProcess watcher) {
            long until = System.nanoTime() + TIMEOUT;
            while (!writer.equals(name)) {
                poll(until, watcher);
            }
        }

        private void poll(long until, ChildProcess watcher) {
            if (System.nanoTime() > until || !watcher.isAlive()) {
                throw new IllegalStateException(
                        "the watcher has published no more than " + machines.size() + " machines");
            }
            for (TableRecord tableRecord : reader.poll(POLL)) {
                if (tableRecord.rowChange() instanceof MachineRow row) {
                    machines.add(row.key());
                    rows++;
                } else if (tableRecord.rowChange() instanceof WatcherHeartbeat heartbeat) {
                    writer = heartbeat.watcher();
                }
            }
        }

        private int machineRows() {
            return rows;
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    private void addRetainedHeap(Measurements measurements, double bytes) {
        measurements.add(Measurement.gatingMeasurement(
                "P9a",
                "heap retained per watched Machine",
                String.format(
                        Locale.ROOT,
                        "%d Machines of a real API server; including the rows that it has published",
                        machines),
                bytes,
                "bytes",
                BetterDirection.LOWER,
                1_000,
                300));
    }

    private void addPeakHeap(Measurements measurements, long more, long page) {
        measurements.add(new Measurement(
                "P9b",
                "peak during the first list beyond the heap retained / a page of the list",
                String.format(Locale.ROOT, "after collections; a page is %d KiB of JSON", page / 1024),
                (double) more / page,
                "pages",
                BetterDirection.LOWER,
                null,
                1.0,
                false,
                null));
    }

    private void addTimes(Measurements measurements, double published, double reconciled, int again) {
        measurements.add(Measurement.informationalMeasurement(
                "W1",
                "from the start of a watcher until all Machines are in the tables",
                machines + " Machines, " + Math.round(machines / published) + " a second",
                published,
                "s",
                BetterDirection.LOWER));
        measurements.add(Measurement.informationalMeasurement(
                "W2",
                "from the start of a watcher until all Machines are compared, when nothing differs",
                machines + " Machines; " + again + " rows written again",
                reconciled,
                "s",
                BetterDirection.LOWER));
    }
}
