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
 * Takes the topics of a site away for a while: unreadable, unwritable, or not listed to the orchestrators. Leaders change
 * before, during and after it, since what a leader knows of such a site it cannot hand over.
 */
final class TopicOutageFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_OUTAGES = 60;
    private static final int LONGEST = 40 * MINUTE;

    private final SimWorld world;
    private final SeededRandom chance;
    private final List<SiteId> sites;

    /**
     * Outages of a world.
     *
     * @param spared a site that is not touched; null for none
     */
    TopicOutageFaults(SimWorld world, @Nullable SiteId spared) {
        this.world = world;
        this.chance = world.chance().split("site-outages");
        this.sites = new ArrayList<>(world.watchers().keySet());
        this.sites.remove(spared);
    }

    void begin() {
        if (world.config().rates().crash() > 0 && chance.percent(WORLDS_WITH_OUTAGES)) {
            again();
        }
    }

    /** All sites are back. */
    void end() {
        sites.forEach(world.log().sites()::makeUsable);
    }

    private void again() {
        world.scheduler().after(chance.between(5 * MINUTE, 60 * MINUTE), () -> {
            if (world.faults().isActive()) {
                strike();
                again();
            }
        });
    }

    private void strike() {
        SiteId site = chance.pick(sites);
        SimSiteTopics.SiteTopicFault siteTopicFault = chance.pick(List.of(SimSiteTopics.SiteTopicFault.values()));
        long length = chance.percent(40) ? chance.between(1000, MINUTE) : chance.between(MINUTE, LONGEST);
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
            world.transcript().append("broker", () -> "the topics of site " + site + " are back");
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
                orchestrator.process().crash("while a site is away", chance.between(500, MINUTE));
            }
        }
    }
}
