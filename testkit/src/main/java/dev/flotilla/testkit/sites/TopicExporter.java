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

/** Writes what the simulated processes commit to the real topics, in order. */
final class TopicExporter {
    private static final long STALL_NANOS = 500_000_000;

    private final TableWriter writer;
    private final Map<SiteId, SiteQueue> queues = new LinkedHashMap<>();

    /** The unwritten records of one site; its topics may be unusable while those of others are not. */
    private static final class SiteQueue {
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
            return open.get() > 0 && System.nanoTime() - quietSince > STALL_NANOS;
        }
    }

    TopicExporter(TableWriter writer, Collection<SiteId> sites) {
        this.writer = writer;
        sites.forEach(site -> queues.put(site, new SiteQueue()));
    }

    void exportRecords(Map<TablePartition, List<RowChange>> records) {
        records.forEach((tablePartition, changes) -> {
            SiteId site = tablePartition.site();
            SiteQueue queue = site == null ? null : queues.get(site);
            if (queue == null) {
                throw new IllegalArgumentException(tablePartition + " is not a partition of a simulated site");
            }
            for (RowChange rowChange : changes) {
                queue.begun();
                writer.write(tablePartition, rowChange, queue::written);
            }
        });
    }

    /** Whether the broker currently accepts nothing of a site. */
    boolean stalled(SiteId site) {
        SiteQueue queue = queues.get(site);
        return queue != null && queue.stalled();
    }

    int open() {
        return queues.values().stream().mapToInt(queue -> queue.open.get()).sum();
    }
}
