package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the orchestrators can use each site's topics, and the ids of these topics. A fault makes topics unusable for
 * a while; a topic that is created again has another id.
 */
public final class SimSiteTopics {
    /** The orchestrator suspends a site once two checks, a second apart, have found its topics unusable. */
    private static final long NOTICED_AFTER = 2000;

    private final VirtualClockScheduler scheduler;
    /** The orchestrator checks topic ids once a second. */
    private static final long ID_CHECK_INTERVAL = 1000;

    private final Map<SiteId, Outage> outages = new LinkedHashMap<>();
    /** For each site the ids of its topics over time, oldest first. */
    private final Map<SiteId, List<TopicGeneration>> generations = new LinkedHashMap<>();

    /** What is wrong with the topics of a site. */
    public enum SiteTopicFault {
        /** No partition has a leader: nothing can be read or written. */
        UNREADABLE,
        /** Too few replicas are in sync: topics can be read but not written. */
        UNWRITABLE,
        /**
         * The broker lists fewer topics to the orchestrators than the site has; the site's own processes see them all.
         */
        UNLISTED
    }

    private record Outage(SiteTopicFault fault, long since) {}

    /** The ids of a site's topics from an instant on. */
    private record TopicGeneration(List<TopicId> ids, long since) {
        private TopicGeneration {
            ids = List.copyOf(ids);
        }
    }

    SimSiteTopics(VirtualClockScheduler scheduler) {
        this.scheduler = scheduler;
    }

    public void makeUnusable(SiteId site, SiteTopicFault siteTopicFault) {
        outages.put(site, new Outage(siteTopicFault, scheduler.now()));
    }

    public void makeUsable(SiteId site) {
        outages.remove(site);
    }

    /** Whether an orchestrator that checks now can read and write all topics of a site. */
    public boolean isUsable(SiteId site) {
        return !outages.containsKey(site);
    }

    /** Whether an orchestrator that uses a site has noticed that its topics are unusable. */
    public boolean isNoticedUnusable(SiteId site) {
        Outage outage = outages.get(site);
        return outage != null && scheduler.now() - outage.since() >= NOTICED_AFTER;
    }

    /** Records that a topic has a new id from now on. */
    void recreated(SiteId site, Table table) {
        List<TopicGeneration> known = generations(site);
        List<TopicId> next = known.get(known.size() - 1).ids().stream()
                .map(topic -> topic.table() == table ? nextId(topic) : topic)
                .toList();
        known.add(new TopicGeneration(next, scheduler.now()));
    }

    /** The current topic ids of a site. */
    public List<TopicId> ids(SiteId site) {
        return ids(site, scheduler.now());
    }

    /** The topic ids that an orchestrator saw at its last check. */
    public List<TopicId> lastCheckedIds(SiteId site) {
        return ids(site, scheduler.now() - ID_CHECK_INTERVAL);
    }

    private List<TopicId> ids(SiteId site, long asOf) {
        List<TopicGeneration> known = generations(site);
        int last = known.size() - 1;
        while (last > 0 && known.get(last).since() > asOf) {
            last--;
        }
        return known.get(last).ids();
    }

    private List<TopicGeneration> generations(SiteId site) {
        return generations.computeIfAbsent(site, SimSiteTopics::firstGeneration);
    }

    private static List<TopicGeneration> firstGeneration(SiteId site) {
        List<TopicId> ids = new ArrayList<>();
        for (Table table : Table.values()) {
            if (table.isPerSite()) {
                ids.add(new TopicId(table, table.label() + "." + site + "#0"));
            }
        }
        List<TopicGeneration> generations = new ArrayList<>();
        generations.add(new TopicGeneration(ids, Long.MIN_VALUE));
        return generations;
    }

    private static TopicId nextId(TopicId before) {
        int number = before.id().lastIndexOf('#') + 1;
        long next = Long.parseLong(before.id().substring(number)) + 1;
        return new TopicId(before.table(), before.id().substring(0, number) + next);
    }
}
