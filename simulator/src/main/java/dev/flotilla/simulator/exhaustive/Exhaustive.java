package dev.flotilla.simulator.exhaustive;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through everything that may happen in the small world, one move deeper at a time, up to a depth. A world that was met
 * before is not gone through again: two are the same where their hashes are.
 */
public final class Exhaustive {
    /** Each move deeper takes three times as long. */
    public static final int DEPTH = 10;

    private static final int ENOUGH = 10;

    private final Moves moves;
    private final Laws laws;
    private final LongSet met = new LongSet();
    private final List<Violation> violations = new ArrayList<>();
    private long done;

    private Exhaustive(Moves moves, Laws laws) {
        this.moves = moves;
        this.laws = laws;
    }

    /**
     * What was found.
     *
     * @param states worlds that are not the same
     * @param complete whether nothing more can happen than what was gone through
     * @param done worlds in which every machine has succeeded
     */
    public record Result(long states, int depth, boolean complete, long done, List<Violation> violations) {}

    /**
     * Something that must hold and does not.
     *
     * @param path all that has happened, in its order
     */
    public record Violation(Invariant invariant, String detail, List<String> path) {}

    /** How a world came to be. */
    private record Path(@Nullable Path from, String by) {
        List<String> moves() {
            List<String> moves = new ArrayList<>();
            for (Path at = this; at.from() != null; at = at.from()) {
                moves.add(at.by());
            }
            Collections.reverse(moves);
            return moves;
        }
    }

    private record Reached(Small world, Path path) {}

    private record Next(Reached reached, long hash, List<Laws.Broken> broken) {}

    /** Told after each depth. */
    @FunctionalInterface
    public interface Progress {
        void at(int depth, long states);
    }

    public static Result run(Variant variant, int depth, Progress progress) {
        List<MachineKey> machines = Beginning.machines();
        Moves moves = new Moves(variant, machines);
        Exhaustive search = new Exhaustive(moves, new Laws(machines, Beginning.CAP));
        return search.from(Beginning.world(variant.decider().get()), depth, progress);
    }

    private Result from(Small beginning, int depth, Progress progress) {
        List<Reached> edge = List.of(new Reached(beginning, new Path(null, "")));
        met.add(beginning.hash());
        int deep = 0;
        while (deep < depth && !edge.isEmpty() && violations.size() < ENOUGH) {
            edge = deeper(edge);
            if (!edge.isEmpty()) {
                deep++;
            }
            progress.at(deep, met.size());
        }
        return new Result(met.size(), deep, edge.isEmpty(), done, List.copyOf(violations));
    }

    private List<Reached> deeper(List<Reached> edge) {
        List<Reached> next = new ArrayList<>();
        edge.parallelStream().map(this::following).forEachOrdered(all -> {
            for (Next one : all) {
                if (met.add(one.hash())) {
                    keep(one, next);
                }
            }
        });
        return next;
    }

    private List<Next> following(Reached from) {
        List<Next> following = new ArrayList<>();
        for (Moves.Move move : moves.of(from.world())) {
            following.add(new Next(
                    new Reached(move.then(), new Path(from.path(), move.what())),
                    move.then().hash(),
                    laws.brokenIn(move.then())));
        }
        return following;
    }

    /** What follows on something broken tells nothing more. */
    private void keep(Next one, List<Reached> edge) {
        for (Laws.Broken broken : one.broken()) {
            violations.add(new Violation(
                    broken.invariant(), broken.detail(), one.reached().path().moves()));
        }
        done += laws.done(one.reached().world()) ? 1 : 0;
        if (one.broken().isEmpty()) {
            edge.add(one.reached());
        }
    }
}
