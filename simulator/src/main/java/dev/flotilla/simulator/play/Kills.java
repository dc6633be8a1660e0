package dev.flotilla.simulator.play;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.core.term.Batch;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.log.Producer;
import dev.flotilla.simulator.run.World;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.worker.WorkerSite;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kills parts of the world, one after the other, and sees when the fleet is served again. */
final class Kills {
    private static final long RESTART = 5000;
    private static final long BROKER_AWAY = 15_000;

    /**
     * A kill.
     *
     * @param process what exactly was killed
     * @param at when, on the world's clock
     * @param recovered when the next start (leader, broker), report (worker) or write (watcher) came; -1 for not yet
     */
    record Kill(Victim what, String process, long at, long recovered) {
        private Kill recovered(long now) {
            return new Kill(what, process, at, now);
        }
    }

    private final World world;
    private final List<Victim> planned;
    private final List<Kill> done = new ArrayList<>();
    private final Map<String, Long> epochs = new LinkedHashMap<>();
    private Map<String, Long> epochsBefore = Map.of();

    Kills(World world, List<Victim> planned) {
        this.world = world;
        this.planned = new ArrayList<>(planned);
        world.log().onCommit(this::committed);
    }

    List<Kill> done() {
        return List.copyOf(done);
    }

    /** Whether nothing that was killed is still missed. */
    boolean recovered() {
        return done.isEmpty() || done.get(done.size() - 1).recovered() >= 0;
    }

    /** Kills the next one, if the last has been got over. Returns it, or null. */
    @Nullable
    Kill next() {
        if (planned.isEmpty() || !recovered()) {
            return null;
        }
        SimProcess process = process(planned.get(0));
        if (process == null && planned.get(0) != Victim.BROKER) {
            return null;
        }
        Victim what = planned.remove(0);
        epochsBefore = new LinkedHashMap<>(epochs);
        if (process == null) {
            all().forEach(each -> each.cutOff(BROKER_AWAY));
        } else {
            process.crash("by kill", RESTART);
        }
        Kill kill = new Kill(
                what,
                process == null ? "broker" : process.name(),
                world.scheduler().now(),
                -1);
        done.add(kill);
        return kill;
    }

    private @Nullable SimProcess process(Victim what) {
        return switch (what) {
            case LEADER ->
                world.orchestrators().stream()
                        .filter(Orchestrator::leads)
                        .map(Orchestrator::process)
                        .findFirst()
                        .orElse(null);
            case WORKER -> busiestWorker();
            case WATCHER ->
                world.watchers().values().stream()
                        .map(SimWatcher::process)
                        .filter(SimProcess::alive)
                        .findFirst()
                        .orElse(null);
            case BROKER -> null;
        };
    }

    /** The worker that has called most: it certainly has something to do. */
    private @Nullable SimProcess busiestWorker() {
        Map<String, Integer> calls = new LinkedHashMap<>();
        world.ledger().calls().forEach(call -> calls.merge(call.caller(), 1, Integer::sum));
        SimProcess busiest = null;
        for (WorkerSite site : world.workers()) {
            for (SimProcess process : site.processes()) {
                int most = busiest == null ? 0 : calls.getOrDefault(busiest.name(), 0);
                busiest = calls.getOrDefault(process.name(), 0) > most ? process : busiest;
            }
        }
        return busiest;
    }

    private List<SimProcess> all() {
        List<SimProcess> all = new ArrayList<>();
        world.orchestrators().forEach(orchestrator -> all.add(orchestrator.process()));
        world.workers().forEach(site -> all.addAll(site.processes()));
        world.watchers().values().forEach(watcher -> all.add(watcher.process()));
        return all;
    }

    private void committed(Producer by, Map<Place, List<Fact>> records, @Nullable Object note) {
        epochs.put(by.id(), by.epoch());
        if (recovered()) {
            return;
        }
        Kill last = done.get(done.size() - 1);
        boolean back = switch (last.what()) {
            case LEADER -> note instanceof Batch batch && starts(batch);
            case BROKER ->
                world.scheduler().now() >= last.at() + BROKER_AWAY && note instanceof Batch batch && starts(batch);
            // The dead one's partitions are written again under a higher epoch than when it died.
            case WORKER -> tookOver(by) && reports(records);
            case WATCHER -> tookOver(by) && by.id().equals("flotilla.watcher." + siteOf(last.process()));
        };
        if (back) {
            done.set(done.size() - 1, last.recovered(world.scheduler().now()));
        }
    }

    private boolean tookOver(Producer by) {
        return by.epoch() > epochsBefore.getOrDefault(by.id(), Long.MAX_VALUE);
    }

    private static boolean starts(Batch batch) {
        for (Decision decision : batch.decisions()) {
            if (decision.event() == Event.ATTEMPT_ADMITTED) {
                return true;
            }
        }
        return false;
    }

    private static boolean reports(Map<Place, List<Fact>> records) {
        return records.values().stream().flatMap(List::stream).anyMatch(Progress.class::isInstance);
    }

    private static String siteOf(String watcher) {
        return watcher.substring(watcher.indexOf('.') + 1);
    }
}
