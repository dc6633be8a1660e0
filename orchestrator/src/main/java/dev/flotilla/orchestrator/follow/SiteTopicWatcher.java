package dev.flotilla.orchestrator.follow;

import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.TopicSetStatus;
import dev.flotilla.kafka.TopicSetStatusReader;
import dev.flotilla.kafka.TopicSetStatuses;
import dev.flotilla.runtime.log.LogKey;
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
 * Watches the topics of all sites on its own thread, because a broker in trouble may respond slowly. A site whose
 * topics were usable counts as unusable only after two inspections.
 */
public final class SiteTopicWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SiteTopicWatcher.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int UNUSABLE_AFTER = 2;
    private static final TopicSetStatus NO_TOPICS = new TopicSetStatus(
            List.of(),
            false,
            "all of its topics were deleted, or the orchestrator's ACLs do not allow it to see them",
            null,
            null,
            List.of());

    private record LostRecords(
            SiteTopicProblem problem, @Nullable String adoptOrder) {}

    private final TopicSetStatusReader statusReader;
    private final KafkaClientSettings clients;
    private final SiteRetryBackoff siteRetryBackoff;
    private final UnreadableOwnRows unreadable;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sites").daemon().factory());
    private final Map<SiteId, Integer> unusableCounts = new LinkedHashMap<>();
    private final Map<SiteId, LostRecords> lostRecords = new LinkedHashMap<>();
    private @Nullable Future<?> inspections;
    private volatile TopicSetStatuses lastStatuses = new TopicSetStatuses(NO_TOPICS, Collections.emptySortedMap());

    public SiteTopicWatcher(
            KafkaClientSettings clients, SiteRetryBackoff siteRetryBackoff, UnreadableOwnRows unreadable) {
        this.clients = clients;
        this.unreadable = unreadable;
        this.statusReader = new TopicSetStatusReader(clients, TIMEOUT);
        this.siteRetryBackoff = siteRetryBackoff;
    }

    /** Inspects the topics at once, and then periodically. */
    public void start() {
        refreshNow();
        inspections = thread.scheduleWithFixedDelay(
                this::inspectQuietly, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The result of the last inspection. */
    public TopicSetStatuses lastStatuses() {
        return lastStatuses;
    }

    /** All sites with a topic or a head row: a site that lost all its topics is still a site. */
    public SortedSet<SiteId> allSites(Collection<SiteId> withHead) {
        SortedSet<SiteId> all = new TreeSet<>(lastStatuses.sites().keySet());
        all.addAll(withHead);
        return all;
    }

    /** Whether a site has all of its topics. */
    public boolean isComplete(SiteId site) {
        TopicSetStatus found = lastStatuses.sites().get(site);
        return found != null && found.complete();
    }

    /** Why a site's topics cannot be used, given its head row; null if they can. Called by the deciding thread. */
    public @Nullable SiteTopicProblem findProblem(SiteId site, @Nullable SiteHead head) {
        SiteTopicProblem known = SiteTopicProblem.findProblem(
                site, head, topicsOf(lastStatuses.sites().get(site)));
        LostRecords lost = lostRecords.get(site);
        if (known == null && lost != null && head != null && Objects.equals(lost.adoptOrder(), head.adoptOrderId())) {
            known = lost.problem();
        }
        known = known == null ? unreadable.findProblem(site) : known;
        return known == null ? siteRetryBackoff.findProblem(site) : known;
    }

    private static SiteTopicProblem.@Nullable SiteTopics topicsOf(@Nullable TopicSetStatus found) {
        return found == null
                ? null
                : new SiteTopicProblem.SiteTopics(found.topics(), found.truncatedTables(), found.problem());
    }

    /** The orchestrator's own unreadable rows that keep sites suspended. */
    public UnreadableOwnRows unreadable() {
        return unreadable;
    }

    /** Records that a site's topics have lost records; this holds until an operator adopts them. */
    void reportLostRecords(SiteHead head, SiteTopicProblem problem) {
        lostRecords.put(head.site(), new LostRecords(problem, head.adoptOrderId()));
    }

    /** Inspects the topics and their settings now, on the calling thread. */
    public synchronized void refreshNow() {
        updateStatuses(statusReader.readStatusesWithSettings());
    }

    private synchronized void inspectTopics() {
        updateStatuses(statusReader.readStatuses());
    }

    private void inspectQuietly() {
        try {
            inspectTopics();
            unreadable.findReplacements(clients, TIMEOUT);
        } catch (KafkaFailure failure) {
            LOG.atDebug()
                    .addKeyValue(LogKey.REASON.label(), failure.kind().label())
                    .addKeyValue(LogKey.DETAIL.label(), failure.getMessage())
                    .log("site topic inspection failed");
        }
    }

    private void updateStatuses(TopicSetStatuses fresh) {
        SortedMap<SiteId, TopicSetStatus> before = lastStatuses.sites();
        SortedMap<SiteId, TopicSetStatus> next = new TreeMap<>();
        Set<SiteId> all = new LinkedHashSet<>(before.keySet());
        all.addAll(fresh.sites().keySet());
        for (SiteId site : all) {
            TopicSetStatus now = fresh.sites().getOrDefault(site, NO_TOPICS);
            TopicSetStatus last = before.get(site);
            int unusable = now.isUsable() ? 0 : unusableCounts.getOrDefault(site, 0) + 1;
            unusableCounts.put(site, unusable);
            next.put(site, last != null && last.isUsable() && unusable > 0 && unusable < UNUSABLE_AFTER ? last : now);
        }
        lastStatuses = new TopicSetStatuses(fresh.fleet(), next);
    }

    @Override
    public void close() {
        if (inspections != null) {
            inspections.cancel(true);
        }
        thread.shutdownNow();
        statusReader.close();
    }
}
