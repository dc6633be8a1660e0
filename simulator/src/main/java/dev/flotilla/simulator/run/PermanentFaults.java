package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.log.SimSiteTopics;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In some worlds one or two sites never become well again: whoever is elsewhere comes to an end all the same, and of each machine
 * there somebody can say why it does not. In some an orchestrator never does, which is not the only one.
 */
final class PermanentFaults {
    private static final int MINUTE = 60_000;
    private static final int HOUR = 60 * MINUTE;
    private static final int WORLDS = 25;
    private static final int WORLDS_WITH_TWO = 30;
    private static final int WORLDS_OF_ORCHESTRATORS = 12;

    private enum Kind {
        /** Its watcher and its workers are cut off. */
        CUT_OFF(CoverageCondition.CUT_OFF_FOR_EVER),
        /** Its topics cannot be read: nobody hears of it until it is written off. */
        AWAY(CoverageCondition.AWAY_FOR_EVER),
        /** All of its nodes refuse all calls. */
        REFUSING(CoverageCondition.REFUSING_FOR_EVER),
        /** The processes of its workers stand still: commands are written, and nobody says anything of them. */
        WORKERS_STOPPED(CoverageCondition.WORKERS_STOPPED),
        /** Its watcher's process stands still. */
        WATCHER_STOPPED(CoverageCondition.WATCHER_STOPPED),
        /** Its processes read, and nothing of what they write arrives. */
        MUTE(CoverageCondition.MUTE),
        /** What its processes write arrives, and they learn nothing new: no commands, and no renewals of those they know. */
        DEAF(CoverageCondition.DEAF),
        /** The clocks of its workers are an hour off. */
        CLOCKS_OFF(CoverageCondition.CLOCKS_OFF),
        /** The API of its management cluster answers every question with an error. */
        API_FAILS(CoverageCondition.API_FAILS),
        /** It is configured, and none of its processes ever reaches the log. */
        NEVER_HEARD_OF(CoverageCondition.NEVER_HEARD_OF);

        private final CoverageCondition coverageCondition;

        Kind(CoverageCondition coverageCondition) {
            this.coverageCondition = coverageCondition;
        }
    }

    /** What becomes of an orchestrator. */
    private enum Loss {
        STOPPED,
        CUT_OFF,
        CLOCK_OFF
    }

    /** A site that is away is what a leader has to be told to do without: there are more of them. */
    private static final List<Kind> KINDS = kinds();

    private final SimWorld world;
    private final SeededRandom chance;
    private final Map<SiteId, Kind> struck = new LinkedHashMap<>();
    private @Nullable SimOrchestrator untimely;

    PermanentFaults(SimWorld world) {
        this.world = world;
        this.chance = world.chance().split("lasting-trouble");
        List<SiteId> sites = new ArrayList<>(world.watchers().keySet());
        boolean any = world.config().rates().crash() > 0 && sites.size() > 1 && chance.percent(WORLDS);
        int count = any ? chance.percent(WORLDS_WITH_TWO) && sites.size() > 2 ? 2 : 1 : 0;
        chance.shuffle(sites);
        for (SiteId site : sites.subList(0, count)) {
            Kind kind = chance.pick(KINDS);
            struck.put(site, kind == Kind.AWAY && siteToWriteOff() != null ? Kind.CUT_OFF : kind);
        }
    }

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        kinds.add(Kind.AWAY);
        kinds.add(Kind.AWAY);
        return kinds;
    }

    /** The sites that never become well. */
    Set<SiteId> sites() {
        return Collections.unmodifiableSet(struck.keySet());
    }

    /** The one of them that people have to write off; null for none. */
    @Nullable
    SiteId siteToWriteOff() {
        for (Map.Entry<SiteId, Kind> each : struck.entrySet()) {
            if (each.getValue() == Kind.AWAY) {
                return each.getKey();
            }
        }
        return null;
    }

    void begin() {
        int until = (int) (world.config().faultsEndAt() - world.scheduler().now());
        struck.forEach((site, kind) -> {
            long after = chance.between(5 * MINUTE, until);
            if (kind == Kind.NEVER_HEARD_OF) {
                strike(site, kind);
            } else {
                world.scheduler().after(after, () -> strike(site, kind));
            }
        });
        SeededRandom lost = chance.split("orchestrator");
        if (world.config().rates().crash() > 0 && lost.percent(WORLDS_OF_ORCHESTRATORS)) {
            SimOrchestrator one = lost.pick(world.orchestrators());
            Loss loss = lost.pick(List.of(Loss.values()));
            world.scheduler().after(lost.between(5 * MINUTE, until), () -> lose(one, loss, lost));
        }
    }

    /** A leader whose clock is wrong keeps gate {@code clock} closed: a person stops it, as the runbook says, and another leads. */
    void stopLostOrchestrator() {
        if (untimely != null) {
            untimely.process().stop();
        }
    }

    private void lose(SimOrchestrator one, Loss loss, SeededRandom lost) {
        world.occurrences().addCondition(CoverageCondition.ORCHESTRATOR_LOST);
        SimProcess process = one.process();
        switch (loss) {
            case STOPPED -> process.stop();
            case CUT_OFF -> process.cutOff(SimProcess.FOREVER);
            case CLOCK_OFF -> {
                untimely = one;
                // The clock that leads never goes back and never leaps: a wrong one is one that it was started with.
                process.crash("since its machine is started anew", MINUTE);
                process.setClockOff(lost.percent(50) ? HOUR : -HOUR);
            }
        }
    }

    private void strike(SiteId site, Kind kind) {
        world.transcript().append("world", () -> "site " + site + " is " + kind + " for ever");
        world.occurrences().addCondition(kind.coverageCondition);
        List<SimProcess> all = world.processesOf(site);
        SimWatcher watcher = world.watchers().get(site);
        List<SimProcess> workers = new ArrayList<>(all);
        workers.removeIf(process -> watcher != null && process == watcher.process());
        switch (kind) {
            case CUT_OFF, NEVER_HEARD_OF -> cutOff(all);
            case AWAY -> {
                world.log().sites().makeUnusable(site, SimSiteTopics.SiteTopicFault.UNREADABLE);
                cutOff(all);
            }
            case REFUSING -> {
                for (SimMachine machine : world.fleet().machines()) {
                    if (machine.key().site().equals(site)) {
                        machine.node().setBadCredentials(true);
                    }
                }
            }
            case WORKERS_STOPPED -> workers.forEach(SimProcess::stop);
            case WATCHER_STOPPED -> {
                if (watcher != null) {
                    watcher.process().stop();
                }
            }
            case MUTE -> all.forEach(SimProcess::blockWrites);
            case DEAF -> all.forEach(SimProcess::blockReads);
            case CLOCKS_OFF -> {
                int off = chance.percent(50) ? HOUR : -HOUR;
                workers.forEach(worker -> worker.setClockOff(off));
            }
            case API_FAILS -> world.fleet().failApi(site);
        }
    }

    private static void cutOff(List<SimProcess> processes) {
        processes.forEach(process -> process.cutOff(SimProcess.FOREVER));
    }
}
