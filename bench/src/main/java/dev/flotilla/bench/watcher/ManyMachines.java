package dev.flotilla.bench.watcher;

import dev.flotilla.bench.Figure;
import dev.flotilla.bench.Figure.Better;
import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.Child;
import dev.flotilla.bench.rig.Rig;
import dev.flotilla.bench.rig.Scene;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.testkit.tables.Seen;
import dev.flotilla.testkit.tables.TableView;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What many Machines cost a watcher: the heap for each, and the time until all of them stand in the tables. */
final class ManyMachines implements Scene {
    private static final SiteId SITE = new SiteId("site-1");
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long PATIENCE = Duration.ofMinutes(4).toNanos();
    private static final double SECOND = 1e9;

    /** A small heap, which is collected as a whole again and again while the list comes in: what is needed shows then. */
    private static final List<String> FLAGS = List.of("-Xmx128m", "-Xmn8m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private final int machines;

    ManyMachines(boolean tiny) {
        this.machines = tiny ? 600 : 10_000;
    }

    @Override
    public List<String> ids() {
        return List.of("P9a", "P9b", "W1", "W2");
    }

    @Override
    public void measure(Figures figures) throws InterruptedException, IOException {
        try (Management management = Management.start();
                Rig rig = Rig.start()) {
            rig.makeTables(List.of(SITE));
            try (Tables tables = new Tables(rig)) {
                watch(rig, management, tables, figures);
            }
        }
    }

    private void watch(Rig rig, Management management, Tables tables, Figures figures)
            throws InterruptedException, IOException {
        Child empty = watcher(rig, management, "empty");
        tables.awaitHeartbeat("empty", empty);
        long none = heap(empty).used();
        empty.kill();
        management.fill(machines);
        long began = System.nanoTime();
        Child first = watcher(rig, management, "first");
        tables.awaitMachines(machines, first);
        double published = (System.nanoTime() - began) / SECOND;
        tables.awaitHeartbeat("first", first);
        Heap all = heap(first);
        first.kill();
        began = System.nanoTime();
        Child second = watcher(rig, management, "second");
        tables.awaitHeartbeat("second", second);
        double reconciled = (System.nanoTime() - began) / SECOND;
        retained(figures, (double) (all.used() - none) / machines);
        peak(figures, Math.max(0, all.most() - all.used()), management.page());
        times(figures, published, reconciled, tables.machineRows() - machines);
    }

    private Child watcher(Rig rig, Management management, String name) throws InterruptedException {
        Child watcher = rig.launch(
                name,
                FLAGS,
                MeasuredWatcher.class.getName(),
                "--bootstrap",
                rig.bootstrap(),
                "--instance",
                name,
                "--site",
                SITE.name(),
                "--kubeconfig",
                management.kubeconfig().toString());
        watcher.await("ready at");
        return watcher;
    }

    /** Bytes in use, and the most that a collection has left. */
    private record Heap(long used, long most) {}

    private static Heap heap(Child watcher) throws InterruptedException, IOException {
        watcher.tell(MeasuredWatcher.HEAP);
        String[] said = watcher.await(MeasuredWatcher.HEAP + " ").split(" ", -1);
        return new Heap(Long.parseLong(said[1]), Long.parseLong(said[2]));
    }

    /** What the watchers have written, as a plain reader sees it. */
    private static final class Tables implements AutoCloseable {
        private final TableView view;
        private final Set<MachineKey> machines = new HashSet<>();
        private String writer = "";
        private int rows;

        private Tables(Rig rig) {
            this.view = new TableView(rig.bootstrap(), List.of(TablePartition.of(Table.INVENTORY, SITE)));
        }

        private void awaitMachines(int wanted, Child watcher) {
            long until = System.nanoTime() + PATIENCE;
            while (machines.size() < wanted) {
                poll(until, watcher);
            }
        }

        /** A heartbeat comes when everything is seen, and what differs is written. */
        private void awaitHeartbeat(String name, Child watcher) {
            long until = System.nanoTime() + PATIENCE;
            while (!writer.equals(name)) {
                poll(until, watcher);
            }
        }

        private void poll(long until, Child watcher) {
            if (System.nanoTime() > until || !watcher.isAlive()) {
                throw new IllegalStateException(
                        "the watcher has published no more than " + machines.size() + " machines");
            }
            for (Seen seen : view.poll(POLL)) {
                if (seen.fact() instanceof MachineRow row) {
                    machines.add(row.key());
                    rows++;
                } else if (seen.fact() instanceof WatcherHeartbeat heartbeat) {
                    writer = heartbeat.watcher();
                }
            }
        }

        private int machineRows() {
            return rows;
        }

        @Override
        public void close() {
            view.close();
        }
    }

    private void retained(Figures figures, double bytes) {
        figures.add(Figure.gate(
                "P9a",
                "heap retained per watched Machine",
                String.format(
                        Locale.ROOT, "%d Machines of a real API server; what it has published included", machines),
                bytes,
                "bytes",
                Better.LOWER,
                1_000,
                300));
    }

    private void peak(Figures figures, long more, long page) {
        figures.add(new Figure(
                "P9b",
                "most that was in use during the first list beyond what stays / a page of the list",
                String.format(Locale.ROOT, "after collections; a page is %d KiB of JSON", page / 1024),
                (double) more / page,
                "pages",
                Better.LOWER,
                null,
                1.0,
                false,
                null));
    }

    private void times(Figures figures, double published, double reconciled, int again) {
        figures.add(Figure.published(
                "W1",
                "from the start of a watcher until all Machines stand in the tables",
                machines + " Machines, " + Math.round(machines / published) + " a second",
                published,
                "s",
                Better.LOWER));
        figures.add(Figure.published(
                "W2",
                "from the start of a watcher until all Machines are compared, when nothing differs",
                machines + " Machines; " + again + " rows written again",
                reconciled,
                "s",
                Better.LOWER));
    }
}
