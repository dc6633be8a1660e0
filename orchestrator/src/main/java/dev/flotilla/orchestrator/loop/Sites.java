package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.kafka.SiteWatch;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sites as their topics appear, looked for on a thread of its own, since a sick broker may take its time to answer. A
 * site whose topics cannot be used counts as such when it was seen so twice.
 */
final class Sites implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sites.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SICK_AFTER = 2;

    private final SiteWatch watch;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sites").daemon().factory());
    private final Map<SiteId, Integer> sickLooks = new LinkedHashMap<>();
    private @Nullable Future<?> looks;
    private volatile SortedMap<SiteId, Boolean> known = Collections.emptySortedMap();

    Sites(KafkaSettings clients) {
        this.watch = new SiteWatch(clients, PATIENCE);
    }

    /** Looks once, at once, and then again and again. */
    void start() {
        look(watch.look());
        looks = thread.scheduleWithFixedDelay(this::tryLook, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Every site there is, and whether its topics can be used. */
    SortedMap<SiteId, Boolean> known() {
        return known;
    }

    private void tryLook() {
        try {
            look(watch.look());
        } catch (KafkaFailure failure) {
            LOG.atDebug()
                    .addKeyValue("reason", failure.kind().label())
                    .log("cannot look for sites: {}", failure.getMessage());
        }
    }

    private void look(SortedMap<SiteId, Boolean> seen) {
        SortedMap<SiteId, Boolean> next = new TreeMap<>(seen.comparator());
        seen.forEach((site, usable) -> {
            int looks = usable ? 0 : sickLooks.getOrDefault(site, 0) + 1;
            sickLooks.put(site, looks);
            // What was never seen before is not set aside for a first bad look, but not used either.
            boolean before = known.getOrDefault(site, false);
            next.put(site, usable || (before && looks < SICK_AFTER));
        });
        sickLooks.keySet().retainAll(seen.keySet());
        known = Collections.unmodifiableSortedMap(next);
    }

    @Override
    public void close() {
        if (looks != null) {
            looks.cancel(true);
        }
        thread.shutdownNow();
        watch.close();
    }
}
