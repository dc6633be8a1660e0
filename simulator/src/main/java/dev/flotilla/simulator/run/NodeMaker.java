package dev.flotilla.simulator.run;

import dev.flotilla.simulator.node.ChannelStore;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.Story;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes nodes, each with a stream of chance of its own. */
public final class NodeMaker {
    /** Of a hundred nodes so many are on boards that were all shipped with the same UUID. */
    private static final int ANONYMOUS = 10;

    private final Scheduler scheduler;
    private final Story story;
    private final Ledger ledger;
    private final Chance chance;
    private final long faultsEnd;
    private final double speed;
    private final Map<String, ChannelStore> stores = new LinkedHashMap<>();

    /**
     * Makes nodes for one world.
     *
     * @param speed so many times faster than said they do their work
     */
    public NodeMaker(Scheduler scheduler, Story story, Ledger ledger, Chance chance, long faultsEnd, double speed) {
        this.scheduler = scheduler;
        this.story = story;
        this.ledger = ledger;
        this.chance = chance;
        this.faultsEnd = faultsEnd;
        this.speed = speed;
    }

    public SimNode node(String name, NodeTemper temper) {
        return node(name, Releases.OLDEST, temper);
    }

    public SimNode node(String name, int revision, NodeTemper temper) {
        return new SimNode(name, revision, temper, scheduler, story, ledger, chance.split(name), faultsEnd, speed)
                .standsIn(
                        store(name.substring(0, Math.max(0, name.indexOf('-')))),
                        chance.split("board of " + name).percent(ANONYMOUS));
    }

    /** The store that the nodes of a site see: their names begin with the site's. */
    public ChannelStore store(String site) {
        return stores.computeIfAbsent(site, absent -> new ChannelStore());
    }
}
