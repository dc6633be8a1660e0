package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.log.Producer;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.run.SiteProcesses;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kills simulated workers and watchers, and sees when what they did is done again. */
final class SiteKills {
    private static final long RESTART = 5000;
    private static final String WORKER = "worker";
    private static final String WATCHER = "watcher";

    /**
     * A kill.
     *
     * @param what {@code worker} or {@code watcher}
     * @param process which one
     * @param recovered when the next report (worker) or write (watcher) of what it owned came; -1 for not yet
     */
    record Kill(String what, String process, long at, long recovered, Map<String, Long> epochs) {}

    private final SiteProcesses processes;
    private final Ledger ledger;
    private final Scheduler scheduler;
    private final List<Kill> done = new ArrayList<>();
    private final Map<String, Long> epochs = new LinkedHashMap<>();

    SiteKills(SiteProcesses processes, SimLog log, Ledger ledger, Scheduler scheduler) {
        this.processes = processes;
        this.ledger = ledger;
        this.scheduler = scheduler;
        log.onCommit((by, records, note) -> committed(by, records));
    }

    List<Kill> done() {
        return List.copyOf(done);
    }

    /** Kills one of a kind. Returns null where there is none to kill. */
    @Nullable
    Kill kill(String what) {
        SimProcess process = switch (what) {
            case WORKER -> busiestWorker();
            case WATCHER -> aWatcher();
            default -> null;
        };
        if (process == null) {
            return null;
        }
        process.crash("by kill", RESTART);
        Kill kill = new Kill(what, process.name(), scheduler.now(), -1, new LinkedHashMap<>(epochs));
        done.add(kill);
        return kill;
    }

    private @Nullable SimProcess aWatcher() {
        return processes.watchers().values().stream()
                .map(SimWatcher::process)
                .filter(SimProcess::alive)
                .findFirst()
                .orElse(null);
    }

    /** The worker that has called most: it certainly has something to do. */
    private @Nullable SimProcess busiestWorker() {
        Map<String, Integer> calls = new LinkedHashMap<>();
        ledger.calls().forEach(call -> calls.merge(call.caller(), 1, Integer::sum));
        SimProcess busiest = null;
        for (SimProcess process : processes.workerProcesses()) {
            int most = busiest == null ? -1 : calls.getOrDefault(busiest.name(), 0);
            busiest = process.alive() && calls.getOrDefault(process.name(), 0) > most ? process : busiest;
        }
        return busiest;
    }

    private void committed(Producer by, Map<Place, List<Fact>> records) {
        epochs.put(by.id(), by.epoch());
        for (int i = 0; i < done.size(); i++) {
            Kill kill = done.get(i);
            if (kill.recovered() < 0 && endedBy(kill, by, records)) {
                done.set(i, new Kill(kill.what(), kill.process(), kill.at(), scheduler.now(), kill.epochs()));
            }
        }
    }

    /** The dead one's tables are written again under a higher epoch than when it died. */
    private static boolean endedBy(Kill kill, Producer by, Map<Place, List<Fact>> records) {
        boolean tookOver = by.epoch() > kill.epochs().getOrDefault(by.id(), Long.MAX_VALUE);
        return tookOver
                && switch (kill.what()) {
                    case WORKER ->
                        records.values().stream().flatMap(List::stream).anyMatch(Progress.class::isInstance);
                    default -> by.id().equals("flotilla." + kill.process());
                };
    }
}
