package dev.flotilla.simulator.run;

import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SiteSnapStore;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.LinkedHashMap;
import java.util.Map;

/** Creates nodes, each with its own random stream. */
public final class SimNodeFactory {
    /** The percentage of nodes whose boards all have the same UUID. */
    private static final int ANONYMOUS_PERCENT = 10;

    private final VirtualClockScheduler scheduler;
    private final Transcript transcript;
    private final NodeCallLedger ledger;
    private final SeededRandom chance;
    private final long faultsEnd;
    private final double speed;
    private final Map<String, SiteSnapStore> stores = new LinkedHashMap<>();

    /**
     * Creates nodes for one world.
     *
     * @param speed how many times faster than usual the nodes work
     */
    public SimNodeFactory(
            VirtualClockScheduler scheduler,
            Transcript transcript,
            NodeCallLedger ledger,
            SeededRandom chance,
            long faultsEnd,
            double speed) {
        this.scheduler = scheduler;
        this.transcript = transcript;
        this.ledger = ledger;
        this.chance = chance;
        this.faultsEnd = faultsEnd;
        this.speed = speed;
    }

    public SimNode node(String name, NodeFaultProfile faultProfile) {
        return node(name, SnapReleases.OLDEST, faultProfile);
    }

    public SimNode node(String name, int revision, NodeFaultProfile faultProfile) {
        return new SimNode(
                        name,
                        revision,
                        faultProfile,
                        scheduler,
                        transcript,
                        ledger,
                        chance.split(name),
                        faultsEnd,
                        speed)
                .placeInSite(
                        store(name.substring(0, Math.max(0, name.indexOf('-')))),
                        chance.split("board of " + name).percent(ANONYMOUS_PERCENT));
    }

    /** The store that the nodes of a site see; their names begin with the site's name. */
    public SiteSnapStore store(String site) {
        return stores.computeIfAbsent(site, absent -> new SiteSnapStore());
    }
}
