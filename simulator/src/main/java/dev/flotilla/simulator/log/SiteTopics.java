package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.world.Scheduler;
import java.util.LinkedHashMap;
import java.util.Map;

/** Whether the orchestrators can use the topics of each site. A fault takes them away and gives them back. */
public final class SiteTopics {
    /** The orchestrator sets a site aside once it has seen it unusable twice, a second apart. */
    private static final long NOTICED_AFTER = 2000;

    private final Scheduler scheduler;
    private final Map<SiteId, Outage> outages = new LinkedHashMap<>();

    /** What is wrong with the topics of a site. */
    public enum Fault {
        /** No partition has a leader: nobody reads and nobody writes. */
        UNREADABLE,
        /** Too few replicas are in sync: everybody reads and nobody writes. */
        UNWRITABLE,
        /** The broker lists fewer topics to the orchestrators than a site has; the site's own processes see them all. */
        UNLISTED
    }

    private record Outage(Fault fault, long since) {}

    SiteTopics(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public void take(SiteId site, Fault fault) {
        outages.put(site, new Outage(fault, scheduler.now()));
    }

    public void giveBack(SiteId site) {
        outages.remove(site);
    }

    /** Whether an orchestrator that looks now can read and write all topics of a site. */
    public boolean usable(SiteId site) {
        return !outages.containsKey(site);
    }

    /** Whether an orchestrator that has used a site has noticed by now that it cannot any more. */
    public boolean noticedUnusable(SiteId site) {
        Outage outage = outages.get(site);
        return outage != null && scheduler.now() - outage.since() >= NOTICED_AFTER;
    }

    /** Whether any site is away. */
    public boolean anyAway() {
        return !outages.isEmpty();
    }
}
