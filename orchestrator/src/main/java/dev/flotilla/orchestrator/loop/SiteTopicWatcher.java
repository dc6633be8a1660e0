package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.TopicSetStatus;
import dev.flotilla.runtime.kafka.TopicSetStatusReader;
import dev.flotilla.runtime.kafka.TopicSetStatuses;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sites as their topics appear, inspected on a thread of its own, since a sick broker may take its time to answer. A
 * site whose topics could be used counts as one whose topics cannot when that was seen twice.
 */
final class SiteTopicWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SiteTopicWatcher.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SICK_AFTER = 2;
    private static final TopicSetStatus NONE = new TopicSetStatus(
            List.of(), false, "all of its topics are gone, or hidden from us by an ACL", null, null, List.of());

    private record LostRecords(
            SiteTopicProblem trouble, @Nullable String adoptOrder) {}

    private final TopicSetStatusReader watch;
    private final KafkaClientSettings clients;
    private final SiteRetryBackoff siteRetryBackoff;
    private final UnreadableOwnRows unreadable;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sites").daemon().factory());
    private final Map<SiteId, Integer> sickLooks = new LinkedHashMap<>();
    private final Map<SiteId, LostRecords> reportLostRecords = new LinkedHashMap<>();
    private @Nullable Future<?> looks;
    private volatile TopicSetStatuses lastStatuses = new TopicSetStatuses(NONE, Collections.emptySortedMap());

    SiteTopicWatcher(KafkaClientSettings clients, SiteRetryBackoff siteRetryBackoff, UnreadableOwnRows unreadable) {
        this.clients = clients;
        this.unreadable = unreadable;
        this.watch = new TopicSetStatusReader(clients, PATIENCE);
        this.siteRetryBackoff = siteRetryBackoff;
    }

    /** Looks once, at once, and then again and again. */
    void start() {
        refreshNow();
        looks = thread.scheduleWithFixedDelay(this::tryLook, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What was seen last. */
    TopicSetStatuses lastStatuses() {
        return lastStatuses;
    }

    /** Every site of which there is a topic, or a head row: one whose topics are all gone is still a site. */
    SortedSet<SiteId> allSites(Collection<SiteId> withHead) {
        SortedSet<SiteId> all = new TreeSet<>(lastStatuses.sites().keySet());
        all.addAll(withHead);
        return all;
    }

    /** Whether a site has all of its topics. */
    boolean isComplete(SiteId site) {
        TopicSetStatus found = lastStatuses.sites().get(site);
        return found != null && found.complete();
    }

    /** Why a site's topics cannot be used, given its head row; null where they can. Asked by the thread that decides. */
    @Nullable
    SiteTopicProblem findProblem(SiteId site, @Nullable SiteHead head) {
        SiteTopicProblem known =
                SiteTopicProblem.findProblem(site, head, lastStatuses.sites().get(site));
        LostRecords back = reportLostRecords.get(site);
        if (known == null && back != null && head != null && Objects.equals(back.adoptOrder(), head.adoptOrderId())) {
            known = back.trouble();
        }
        known = known == null ? unreadable.trouble(site) : known;
        return known == null ? siteRetryBackoff.findProblem(site) : known;
    }

    /** The rows of ours that keep sites set aside. */
    UnreadableOwnRows unreadable() {
        return unreadable;
    }

    /** A site's topics were found to have lost records: that holds until they are adopted. */
    void reportLostRecords(SiteHead head, SiteTopicProblem trouble) {
        reportLostRecords.put(head.site(), new LostRecords(trouble, head.adoptOrderId()));
    }

    /** Inspects the topics now and thoroughly, on the thread that asks. */
    synchronized void refreshNow() {
        take(watch.readStatusesWithSettings());
    }

    private synchronized void look() {
        take(watch.readStatuses());
    }

    private void tryLook() {
        try {
            look();
            unreadable.findReplacements(clients, PATIENCE);
        } catch (KafkaFailure failure) {
            LOG.atDebug()
                    .addKeyValue("reason", failure.kind().label())
                    .log("cannot look for sites: {}", failure.getMessage());
        }
    }

    private void take(TopicSetStatuses fresh) {
        SortedMap<SiteId, TopicSetStatus> before = lastStatuses.sites();
        SortedMap<SiteId, TopicSetStatus> next = new TreeMap<>();
        Set<SiteId> all = new LinkedHashSet<>(before.keySet());
        all.addAll(fresh.sites().keySet());
        for (SiteId site : all) {
            TopicSetStatus now = fresh.sites().getOrDefault(site, NONE);
            TopicSetStatus last = before.get(site);
            int sick = now.isUsable() ? 0 : sickLooks.getOrDefault(site, 0) + 1;
            sickLooks.put(site, sick);
            next.put(site, last != null && last.isUsable() && sick > 0 && sick < SICK_AFTER ? last : now);
        }
        lastStatuses = new TopicSetStatuses(fresh.fleet(), next);
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
