package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.log.SiteTopics;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In some worlds one site never becomes well again: whoever is elsewhere comes to an end all the same, and of each machine there
 * somebody can say why it does not.
 */
final class LastingTrouble {
    private static final int MINUTE = 60_000;
    private static final int WORLDS = 15;
    private static final long FOR_EVER = 10_000L * 60 * MINUTE;

    private enum Kind {
        /** Its watcher and its workers are cut off. */
        CUT_OFF,
        /** Its topics cannot be read: nobody hears of it until it is written off. */
        AWAY,
        /** All of its nodes refuse all calls. */
        REFUSING
    }

    private final World world;
    private final Chance chance;
    private final @Nullable SiteId site;
    private final Kind kind;

    LastingTrouble(World world) {
        this.world = world;
        this.chance = world.chance().split("lasting-trouble");
        List<SiteId> sites = new ArrayList<>(world.watchers().keySet());
        boolean any = world.plan().rates().crash() > 0 && sites.size() > 1 && chance.percent(WORLDS);
        this.kind = chance.pick(List.of(Kind.values()));
        this.site = any ? chance.pick(sites) : null;
    }

    /** The site that never becomes well; null for none. */
    @Nullable
    SiteId site() {
        return site;
    }

    /** Whether people have to write it off. */
    boolean isAway() {
        return site != null && kind == Kind.AWAY;
    }

    void begin() {
        SiteId struck = site;
        if (struck != null) {
            long until = world.plan().faultsEnd() - world.scheduler().now();
            world.scheduler().after(chance.between(5 * MINUTE, (int) until), () -> strike(struck));
        }
    }

    private void strike(SiteId struck) {
        world.story().tell("world", () -> "site " + struck + " is " + kind + " for ever");
        switch (kind) {
            case CUT_OFF -> cutOff(struck);
            case AWAY -> {
                world.log().sites().take(struck, SiteTopics.Fault.UNREADABLE);
                cutOff(struck);
            }
            case REFUSING -> {
                for (SimMachine machine : world.fleet().machines()) {
                    if (machine.key().site().equals(struck)) {
                        machine.node().setBadCredentials(true);
                    }
                }
            }
        }
    }

    private void cutOff(SiteId struck) {
        for (SimProcess process : world.processesOf(struck)) {
            process.cutOff(FOR_EVER);
        }
    }
}
