package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.log.SiteTopics;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the topics of a site away for a while: unreadable, unwritable, or not listed to the orchestrators. Leaders change
 * before, during and after it, since what a leader knows of such a site it cannot hand over.
 */
final class SiteOutages {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_OUTAGES = 60;
    private static final int LONGEST = 40 * MINUTE;

    private final World world;
    private final Chance chance;
    private final List<SiteId> sites;

    /**
     * Outages of a world.
     *
     * @param spared a site that is not touched; null for none
     */
    SiteOutages(World world, @Nullable SiteId spared) {
        this.world = world;
        this.chance = world.chance().split("site-outages");
        this.sites = new ArrayList<>(world.watchers().keySet());
        this.sites.remove(spared);
    }

    void begin() {
        if (world.plan().rates().crash() > 0 && chance.percent(WORLDS_WITH_OUTAGES)) {
            again();
        }
    }

    /** All sites are back. */
    void end() {
        sites.forEach(world.log().sites()::giveBack);
    }

    private void again() {
        world.scheduler().after(chance.between(5 * MINUTE, 60 * MINUTE), () -> {
            if (world.faults().active()) {
                strike();
                again();
            }
        });
    }

    private void strike() {
        SiteId site = chance.pick(sites);
        SiteTopics.Fault fault = chance.pick(List.of(SiteTopics.Fault.values()));
        long length = chance.percent(40) ? chance.between(1000, MINUTE) : chance.between(MINUTE, LONGEST);
        length = Math.min(length, world.faults().end() - world.scheduler().now());
        if (!world.log().sites().usable(site)) {
            return;
        }
        world.log().sites().take(site, fault);
        String lasts = " for " + length / 1000 + " s";
        world.story().tell("broker", () -> "the topics of site " + site + " are " + fault + lasts);
        if (fault != SiteTopics.Fault.UNLISTED) {
            for (SimProcess process : world.processesOf(site)) {
                process.cutOff(length);
            }
        }
        world.scheduler().after(length, () -> {
            world.story().tell("broker", () -> "the topics of site " + site + " are back");
            world.log().sites().giveBack(site);
        });
        int takeOvers = chance.below(3);
        for (int i = 0; i < takeOvers; i++) {
            world.scheduler().after(chance.between(0, (int) length + 30_000), this::changeLeader);
        }
    }

    private void changeLeader() {
        for (Orchestrator orchestrator : world.orchestrators()) {
            if (orchestrator.leads()) {
                orchestrator.process().crash("while a site is away", chance.between(500, MINUTE));
            }
        }
    }
}
