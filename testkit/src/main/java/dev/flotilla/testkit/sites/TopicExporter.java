package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What the simulated processes commit, on its way to the real topics, in order. */
final class TopicExporter {
    private static final long PATIENCE = 500_000_000;

    private final TableWriter writer;
    private final Map<SiteId, Lane> lanes = new LinkedHashMap<>();

    /** What is on its way of one site: its topics may be away while those of the others are not. */
    private static final class Lane {
        private final AtomicInteger open = new AtomicInteger();
        private volatile long quietSince = System.nanoTime();

        void begun() {
            if (open.getAndIncrement() == 0) {
                quietSince = System.nanoTime();
            }
        }

        void written() {
            quietSince = System.nanoTime();
            open.decrementAndGet();
        }

        boolean stalled() {
            return open.get() > 0 && System.nanoTime() - quietSince > PATIENCE;
        }
    }

    TopicExporter(TableWriter writer, Collection<SiteId> sites) {
        this.writer = writer;
        sites.forEach(site -> lanes.put(site, new Lane()));
    }

    void committed(Map<TablePartition, List<RowChange>> records) {
        records.forEach((tablePartition, facts) -> {
            SiteId site = tablePartition.site();
            Lane lane = site == null ? null : lanes.get(site);
            if (lane == null) {
                throw new IllegalArgumentException(tablePartition + " is no place of a simulated site");
            }
            for (RowChange rowChange : facts) {
                lane.begun();
                writer.write(tablePartition, rowChange, lane::written);
            }
        });
    }

    /** Whether the broker takes nothing of a site's at the moment. */
    boolean stalled(SiteId site) {
        Lane lane = lanes.get(site);
        return lane != null && lane.stalled();
    }

    int open() {
        return lanes.values().stream().mapToInt(lane -> lane.open.get()).sum();
    }
}
