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
record Small(
        RowMap rows,
        List<AttemptProgress> waiting,
        List<@Nullable AttemptProgress> last,
        List<Leader> leaders,
        List<Worker> workers,
        List<Node> nodes,
        int session,
        Spent spent) {

    /**
     * What has gone wrong so far.
     *
     * @param hints to a leader or a worker while another was there
     * @param answers that were lost on their way from a node
     * @param leaps of time, each longer than a command lasts
     */
    record Spent(int hints, int answers, int leaps) {
        static final Spent NOTHING = new Spent(0, 0, 0);

        int all() {
            return hints + answers + leaps;
        }

        Spent hint() {
            return new Spent(hints + 1, answers, leaps);
        }

        Spent answer() {
            return new Spent(hints, answers + 1, leaps);
        }

        Spent leap() {
            return new Spent(hints, answers, leaps + 1);
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

    Small with(Spent next) {
        return new Small(rows, waiting, last, leaders, workers, nodes, session, next);
    }

    Small with(int number, Leader next) {
        return new Small(rows, waiting, last, set(leaders, number, next), workers, nodes, session, spent);
    }

    Small with(int number, Worker next) {
        return new Small(rows, waiting, last, leaders, set(workers, number, next), nodes, session, spent);
    }

    Small with(int number, Node next) {
        return new Small(rows, waiting, last, leaders, workers, set(nodes, number, next), session, spent);
    }

    Small nextSession() {
        return new Small(rows, waiting, last, leaders, workers, nodes, session + 1, spent);
    }

    /** A leader's rows are what counts now, and the words that went into them are done with. */
    Small committed(RowMap next) {
        return new Small(next, List.of(), last, leaders, workers, nodes, session, spent);
    }

    Small said(int machine, AttemptProgress progress) {
        List<AttemptProgress> more = new ArrayList<>(waiting);
        more.add(progress);
        return new Small(rows, more, set(last, machine, progress), leaders, workers, nodes, session, spent);
    }

    private static <T extends @Nullable Object> List<T> set(List<T> all, int number, T next) {
        List<T> copy = new ArrayList<>(all);
        copy.set(number, next);
        return copy;
    }

    long hash() {
        StableHash stableHash = new StableHash().add(rows.hash()).add(waiting.toString()).add(last.toString());
        leaders.forEach(leader -> leader.addTo(stableHash));
        workers.forEach(worker -> worker.addTo(stableHash));
        nodes.forEach(node -> node.addTo(stableHash));
        return stableHash.add(session)
                .add(spent.hints())
                .add(spent.answers())
                .add(spent.leaps())
                .value();
    }
}
