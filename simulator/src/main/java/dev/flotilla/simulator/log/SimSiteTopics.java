package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the orchestrators can use the topics of each site, and which topics they are. A fault takes them away and gives them
 * back; a topic that is created again has another id.
 */
public final class SimSiteTopics {
    /** The orchestrator sets a site aside once it has seen it unusable twice, a second apart. */
    private static final long NOTICED_AFTER = 2000;

    private final VirtualClockScheduler scheduler;
    /** It looks at the ids of topics once a second. */
    private static final long LOOKS_EVERY = 1000;

    private final Map<SiteId, Outage> outages = new LinkedHashMap<>();
    private final Map<SiteId, Map<Table, List<Long>>> recreated = new LinkedHashMap<>();

    /** What is wrong with the topics of a site. */
    public enum SiteTopicFault {
        /** No partition has a leader: nobody reads and nobody writes. */
        UNREADABLE,
        /** Too few replicas are in sync: everybody reads and nobody writes. */
        UNWRITABLE,
        /** The broker lists fewer topics to the orchestrators than a site has; the site's own processes see them all. */
        UNLISTED
    }

    private record Outage(SiteTopicFault fault, long since) {}

    SimSiteTopics(VirtualClockScheduler scheduler) {
        this.scheduler = scheduler;
    }

    public void makeUnusable(SiteId site, SiteTopicFault siteTopicFault) {
        outages.put(site, new Outage(siteTopicFault, scheduler.now()));
    }

    public void makeUsable(SiteId site) {
        outages.remove(site);
    }

    /** Whether an orchestrator that looks now can read and write all topics of a site. */
    public boolean isUsable(SiteId site) {
        return !outages.containsKey(site);
    }

    /** Whether an orchestrator that has used a site has noticed by now that it cannot any more. */
    public boolean isNoticedUnusable(SiteId site) {
        Outage outage = outages.get(site);
        return outage != null && scheduler.now() - outage.since() >= NOTICED_AFTER;
    }

    /** A site's topic is another from now on. */
    void recreated(SiteId site, Table table) {
        recreated
                .computeIfAbsent(site, absent -> new LinkedHashMap<>())
                .computeIfAbsent(table, absent -> new ArrayList<>())
                .add(scheduler.now());
    }

    /** The topics of a site, as whoever asks now is told. */
    public List<TopicId> ids(SiteId site) {
        return ids(site, scheduler.now());
    }

    /** The same as an orchestrator has seen them when it looked last. */
    public List<TopicId> seenIds(SiteId site) {
        return ids(site, scheduler.now() - LOOKS_EVERY);
    }

    private List<TopicId> ids(SiteId site, long asOf) {
        List<TopicId> ids = new ArrayList<>();
        for (Table table : Table.values()) {
            if (table.isPerSite()) {
                List<Long> times = recreated.getOrDefault(site, Map.of()).getOrDefault(table, List.of());
                long number = times.stream().filter(at -> at <= asOf).count();
                ids.add(new TopicId(table, table.label() + "." + site + "#" + number));
            }
        }
        return ids;
    }

    /** Whether any site is away. */
    public boolean isAnyUnusable() {
        return !outages.isEmpty();
    }
}
