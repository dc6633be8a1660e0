package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.StableHash;
import dev.flotilla.core.procedure.ClockReading;
import dev.flotilla.schemas.row.AttemptProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All there is of the small world.
 *
 * @param rows what leaders have committed
 * @param waiting words of workers that no committed decision is about yet
 * @param last what was said last of each machine
 * @param session the newest session of the workers' partition
 * @param spent what went wrong besides crashes, as often as it may
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
     * What has gone wrong so far.
     *
     * @param hints to a leader or a worker while another was there
     * @param answers that were lost on their way from a node
     * @param leaps of time, each longer than a command lasts
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

    private static final Instant BEGUN = Instant.parse("2026-03-01T00:00:00Z");
    private static final long LEAP = 16 * 60_000;

    Instant now() {
        return BEGUN.plusMillis(spent.leaps() * LEAP);
    }

    ClockReading moment() {
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

    /** A leader's rows are what counts now, and the words that went into them are done with. */
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
