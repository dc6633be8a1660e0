package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.testkit.tables.TableWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What the simulated processes commit, on its way to the real topics, in order. */
final class Outbox {
    private static final long PATIENCE = 500_000_000;

    private final TableWriter writer;
    private final AtomicInteger open = new AtomicInteger();
    private volatile long quietSince = System.nanoTime();

    Outbox(TableWriter writer) {
        this.writer = writer;
    }

    void committed(Map<Place, List<Fact>> records) {
        records.forEach((place, facts) -> facts.forEach(fact -> {
            if (open.getAndIncrement() == 0) {
                quietSince = System.nanoTime();
            }
            writer.write(place, fact, this::written);
        }));
    }

    private void written() {
        quietSince = System.nanoTime();
        open.decrementAndGet();
    }

    /** Whether the broker takes nothing at the moment. */
    boolean stalled() {
        return open.get() > 0 && System.nanoTime() - quietSince > PATIENCE;
    }

    int open() {
        return open.get();
    }
}
