package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.schemas.row.AttemptProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The complete state of the model.
 *
 * @param rows what leaders have committed
 * @param waiting reports that no committed decision covers yet
 * @param last the last report about each machine
 * @param session the newest session of the workers' partition
 * @param spent the faults that have occurred besides crashes
 */
record ModelState(
        HashedRowMap rows,
        List<AttemptProgress> waiting,
        List<@Nullable AttemptProgress> last,
        List<ModelLeader> leaders,
        List<ModelWorker> workers,
        List<ModelNode> nodes,
        int session,
        SpentFaults spent) {

    /**
     * The faults that have occurred so far.
     *
     * @param hints leaderships or partitions assigned while another process still held them
     * @param answers responses of nodes that were lost
     * @param leaps jumps of time, each longer than a command lease
     */
    record SpentFaults(int hints, int answers, int leaps) {
        static final SpentFaults NOTHING = new SpentFaults(0, 0, 0);

        int all() {
            return hints + answers + leaps;
        }

        SpentFaults hint() {
            return new SpentFaults(hints + 1, answers, leaps);
        }

        SpentFaults answer() {
            return new SpentFaults(hints, answers + 1, leaps);
        }

        SpentFaults leap() {
            return new SpentFaults(hints, answers, leaps + 1);
        }
    }

    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final long LEAP = 16 * 60_000;

    Instant now() {
        return START.plusMillis(spent.leaps() * LEAP);
    }

    ClockReading clockReading() {
        return new ClockReading(now().toEpochMilli(), spent.leaps() * LEAP);
    }

    ModelState with(SpentFaults next) {
        return new ModelState(rows, waiting, last, leaders, workers, nodes, session, next);
    }

    ModelState with(int number, ModelLeader next) {
        return new ModelState(rows, waiting, last, set(leaders, number, next), workers, nodes, session, spent);
    }

    ModelState with(int number, ModelWorker next) {
        return new ModelState(rows, waiting, last, leaders, set(workers, number, next), nodes, session, spent);
    }

    ModelState with(int number, ModelNode next) {
        return new ModelState(rows, waiting, last, leaders, workers, set(nodes, number, next), session, spent);
    }

    ModelState nextSession() {
        return new ModelState(rows, waiting, last, leaders, workers, nodes, session + 1, spent);
    }

    /** Commits a leader's rows, and removes the reports that they cover. */
    ModelState committed(HashedRowMap next) {
        return new ModelState(next, List.of(), last, leaders, workers, nodes, session, spent);
    }

    ModelState withReport(int machine, AttemptProgress progress) {
        List<AttemptProgress> more = new ArrayList<>(waiting);
        more.add(progress);
        return new ModelState(rows, more, set(last, machine, progress), leaders, workers, nodes, session, spent);
    }

    private static <T extends @Nullable Object> List<T> set(List<T> all, int number, T next) {
        List<T> copy = new ArrayList<>(all);
        copy.set(number, next);
        return copy;
    }

    long hash() {
        StableHash stableHash =
                new StableHash().add(rows.hash()).add(waiting.toString()).add(last.toString());
        leaders.forEach(leader -> leader.addTo(stableHash));
        workers.forEach(worker -> worker.addTo(stableHash));
        nodes.forEach(node -> node.addTo(stableHash));
        return stableHash
                .add(session)
                .add(spent.hints())
                .add(spent.answers())
                .add(spent.leaps())
                .value();
    }
}
