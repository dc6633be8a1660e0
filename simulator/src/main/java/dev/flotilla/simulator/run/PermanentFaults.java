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
 * Faults that never end. In some worlds one or two sites have one: the work of all other sites must still end, and each
 * unfinished machine of these sites must have an explanation. In some worlds one of several orchestrators has one.
 */
final class PermanentFaults {
    private static final int MINUTE = 60_000;
    private static final int HOUR = 60 * MINUTE;
    private static final int WORLDS = 25;
    private static final int WORLDS_WITH_TWO = 30;
    private static final int WORLDS_OF_ORCHESTRATORS = 12;

    private enum Kind {
        /** Its watcher and its workers are cut off. */
        CUT_OFF(CoverageCondition.SITE_CUT_OFF_FOREVER),
        /** Its topics are unreadable until it is written off. */
        TOPICS_UNUSABLE(CoverageCondition.TOPICS_UNUSABLE_FOREVER),
        /** All of its nodes reject all calls. */
        NODES_REJECTING(CoverageCondition.NODES_REJECTING_FOREVER),
        /** The processes of its workers stop: commands are written, and no reports arrive. */
        WORKERS_STOPPED(CoverageCondition.WORKERS_STOPPED),
        /** The process of its watcher stops. */
        WATCHER_STOPPED(CoverageCondition.WATCHER_STOPPED),
        /** Its processes read, but nothing of what they write arrives. */
        WRITES_BLOCKED(CoverageCondition.SITE_WRITES_BLOCKED),
        /** What its processes write arrives, but they read nothing new: no commands, and no lease renewals. */
        READS_BLOCKED(CoverageCondition.SITE_READS_BLOCKED),
        /** The clocks of its workers are an hour off. */
        CLOCKS_OFF(CoverageCondition.CLOCKS_OFF),
        /** The API of its management cluster answers every request with an error. */
        API_FAILS(CoverageCondition.API_FAILS),
        /** It is configured, but none of its processes ever reaches the log. */
        NEVER_CONNECTED(CoverageCondition.SITE_NEVER_CONNECTED);

        private final CoverageCondition coverageCondition;

        Kind(CoverageCondition coverageCondition) {
            this.coverageCondition = coverageCondition;
        }
    }

    /** What happens to an orchestrator. */
    private enum Loss {
        STOPPED,
        CUT_OFF,
        CLOCK_OFF
    }

    /** Unusable topics occur more often than the other kinds, because an operator has to write such a site off. */
    private static final List<Kind> KINDS = kinds();

    private final SimWorld world;
    private final SeededRandom chance;
    private final Map<SiteId, Kind> faultsBySite = new LinkedHashMap<>();
    private @Nullable SimOrchestrator orchestratorWithWrongClock;

    PermanentFaults(SimWorld world) {
        this.world = world;
        this.chance = world.chance().split("lasting-trouble");
        List<SiteId> sites = new ArrayList<>(world.watchers().keySet());
        boolean any = world.config().rates().crash() > 0 && sites.size() > 1 && chance.percent(WORLDS);
        int count = any ? chance.percent(WORLDS_WITH_TWO) && sites.size() > 2 ? 2 : 1 : 0;
        chance.shuffle(sites);
        for (SiteId site : sites.subList(0, count)) {
            Kind kind = chance.pick(KINDS);
            faultsBySite.put(site, kind == Kind.TOPICS_UNUSABLE && siteToWriteOff() != null ? Kind.CUT_OFF : kind);
        }
    }

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        kinds.add(Kind.TOPICS_UNUSABLE);
        kinds.add(Kind.TOPICS_UNUSABLE);
        return kinds;
    }

    /** The sites with a permanent fault. */
    Set<SiteId> sites() {
        return Collections.unmodifiableSet(faultsBySite.keySet());
    }

    /** The site that operators have to write off; null if none. */
    @Nullable
    SiteId siteToWriteOff() {
        for (Map.Entry<SiteId, Kind> entry : faultsBySite.entrySet()) {
            if (entry.getValue() == Kind.TOPICS_UNUSABLE) {
                return entry.getKey();
            }
        }
        return null;
    }

    void begin() {
        int until = (int) (world.config().faultsEndAt() - world.scheduler().now());
        faultsBySite.forEach((site, kind) -> {
            long after = chance.between(5 * MINUTE, until);
            if (kind == Kind.NEVER_CONNECTED) {
                inject(site, kind);
            } else {
                world.scheduler().after(after, () -> inject(site, kind));
            }
        });
        SeededRandom lost = chance.split("orchestrator");
        if (world.config().rates().crash() > 0 && lost.percent(WORLDS_OF_ORCHESTRATORS)) {
            SimOrchestrator orchestrator = lost.pick(world.orchestrators());
            Loss loss = lost.pick(List.of(Loss.values()));
            world.scheduler()
                    .after(lost.between(5 * MINUTE, until), () -> injectIntoOrchestrator(orchestrator, loss, lost));
        }
    }

    /**
     * Stops an orchestrator with a wrong clock, as the runbook says, because it would keep the gate {@code clock}
     * closed. Another one takes over.
     */
    void stopLostOrchestrator() {
        if (orchestratorWithWrongClock != null) {
            orchestratorWithWrongClock.process().stop();
        }
    }

    private void injectIntoOrchestrator(SimOrchestrator orchestrator, Loss loss, SeededRandom lost) {
        world.coverage().addCondition(CoverageCondition.ORCHESTRATOR_LOST);
        SimProcess process = orchestrator.process();
        switch (loss) {
            case STOPPED -> process.stop();
            case CUT_OFF -> process.cutOff(SimProcess.FOREVER);
            case CLOCK_OFF -> {
                orchestratorWithWrongClock = orchestrator;
                // The leader's clock never jumps while it runs; only a restart gives it a wrong one.
                process.crash("because its host is restarted", MINUTE);
                process.setClockOff(lost.percent(50) ? HOUR : -HOUR);
            }
        }
    }

    private void inject(SiteId site, Kind kind) {
        world.transcript().append("world", () -> "site " + site + " is " + kind + " forever");
        world.coverage().addCondition(kind.coverageCondition);
        List<SimProcess> all = world.processesOf(site);
        SimWatcher watcher = world.watchers().get(site);
        List<SimProcess> workers = new ArrayList<>(all);
        workers.removeIf(process -> watcher != null && process == watcher.process());
        switch (kind) {
            case CUT_OFF, NEVER_CONNECTED -> cutOff(all);
            case TOPICS_UNUSABLE -> {
                world.log().sites().makeUnusable(site, SimSiteTopics.SiteTopicFault.UNREADABLE);
                cutOff(all);
            }
            case NODES_REJECTING -> {
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
            case WRITES_BLOCKED -> all.forEach(SimProcess::blockWrites);
            case READS_BLOCKED -> all.forEach(SimProcess::blockReads);
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
