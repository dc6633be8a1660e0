package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.log.SimSiteTopics;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the topics of a site unusable for a while: unreadable, unwritable, or not listed to the orchestrators. Leaders
 * change before, during and after the outage, because a leader cannot hand over what it knows of such a site.
 */
final class TopicOutageFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_OUTAGES = 60;
    private static final int MAX_LENGTH = 40 * MINUTE;

    private final SimWorld world;
    private final SeededRandom chance;
    private final List<SiteId> sites;

    /**
     * Creates the outages of a world.
     *
     * @param spared a site without outages; null for none
     */
    TopicOutageFaults(SimWorld world, @Nullable SiteId spared) {
        this.world = world;
        this.chance = world.chance().split("site-outages");
        this.sites = new ArrayList<>(world.watchers().keySet());
        this.sites.remove(spared);
    }

    void begin() {
        if (world.config().rates().crash() > 0 && chance.percent(WORLDS_WITH_OUTAGES)) {
            scheduleNext();
        }
    }

    /** Makes all sites usable again. */
    void end() {
        sites.forEach(world.log().sites()::makeUsable);
    }

    private void scheduleNext() {
        world.scheduler().after(chance.between(5 * MINUTE, 60 * MINUTE), () -> {
            if (world.faults().isActive()) {
                inject();
                scheduleNext();
            }
        });
    }

    private void inject() {
        SiteId site = chance.pick(sites);
        SimSiteTopics.SiteTopicFault siteTopicFault = chance.pick(List.of(SimSiteTopics.SiteTopicFault.values()));
        long length = chance.percent(40) ? chance.between(1000, MINUTE) : chance.between(MINUTE, MAX_LENGTH);
        length = Math.min(length, world.faults().end() - world.scheduler().now());
        if (!world.log().sites().isUsable(site)) {
            return;
        }
        world.log().sites().makeUnusable(site, siteTopicFault);
        String lasts = " for " + length / 1000 + " s";
        world.transcript().append("broker", () -> "the topics of site " + site + " are " + siteTopicFault + lasts);
        if (siteTopicFault != SimSiteTopics.SiteTopicFault.UNLISTED) {
            for (SimProcess process : world.processesOf(site)) {
                process.cutOff(length);
            }
        }
        world.scheduler().after(length, () -> {
            world.transcript().append("broker", () -> "the topics of site " + site + " are usable again");
            world.log().sites().makeUsable(site);
        });
        int takeOvers = chance.below(3);
        for (int i = 0; i < takeOvers; i++) {
            world.scheduler().after(chance.between(0, (int) length + 30_000), this::changeLeader);
        }
    }

    private void changeLeader() {
        for (SimOrchestrator orchestrator : world.orchestrators()) {
            if (orchestrator.isLeader()) {
                orchestrator.process().crash("while the topics of a site are unusable", chance.between(500, MINUTE));
            }
        }
    }
}
