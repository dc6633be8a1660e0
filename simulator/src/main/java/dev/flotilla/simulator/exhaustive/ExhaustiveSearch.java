package dev.flotilla.simulator.exhaustive;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through everything that may happen in the small world, one move deeper at a time, up to a depth. A world that was met
 * before is not gone through again: two are the same where their hashes are.
 */
public final class ExhaustiveSearch {
    /** Each move deeper takes three times as long. */
    public static final int DEPTH = 10;

    private static final int ENOUGH = 10;

    private final ModelTransitions modelTransitions;
    private final ModelInvariants modelInvariants;
    private final LongHashSet met = new LongHashSet();
    private final List<ModelViolation> violations = new ArrayList<>();
    private long done;

    private ExhaustiveSearch(ModelTransitions modelTransitions, ModelInvariants modelInvariants) {
        this.modelTransitions = modelTransitions;
        this.modelInvariants = modelInvariants;
    }

    /**
     * What was found.
     *
     * @param states worlds that are not the same
     * @param complete whether nothing more can happen than what was gone through
     * @param done worlds in which every machine has succeeded
     */
    public record ExhaustiveSearchResult(
            long states, int depth, boolean complete, long done, List<ModelViolation> violations) {}

    /**
     * Something that must hold and does not.
     *
     * @param path all that has happened, in its order
     */
    public record ModelViolation(Invariant invariant, String detail, List<String> path) {}

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

    private record Reached(ModelState world, Path path) {}

    private record Next(Reached reached, long hash, List<ModelInvariants.BrokenInvariant> broken) {}

    /** Told after each depth. */
    @FunctionalInterface
    public interface SearchProgressListener {
        void depthReached(int depth, long states);
    }

    public static ExhaustiveSearchResult run(
            SystemUnderTest systemUnderTest, int depth, SearchProgressListener searchProgressListener) {
        List<MachineKey> machines = ModelInitialState.machines();
        ModelTransitions modelTransitions = new ModelTransitions(systemUnderTest, machines);
        ExhaustiveSearch search =
                new ExhaustiveSearch(modelTransitions, new ModelInvariants(machines, ModelInitialState.CAP));
        return search.from(ModelInitialState.world(systemUnderTest.decider().get()), depth, searchProgressListener);
    }

    private ExhaustiveSearchResult from(
            ModelState beginning, int depth, SearchProgressListener searchProgressListener) {
        List<Reached> edge = List.of(new Reached(beginning, new Path(null, "")));
        met.add(beginning.hash());
        int deep = 0;
        while (deep < depth && !edge.isEmpty() && violations.size() < ENOUGH) {
            edge = deeper(edge);
            if (!edge.isEmpty()) {
                deep++;
            }
            searchProgressListener.depthReached(deep, met.size());
        }
        return new ExhaustiveSearchResult(met.size(), deep, edge.isEmpty(), done, List.copyOf(violations));
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
        for (ModelTransitions.ModelTransition modelTransition : modelTransitions.nextTransitions(from.world())) {
            following.add(new Next(
                    new Reached(modelTransition.nextState(), new Path(from.path(), modelTransition.description())),
                    modelTransition.nextState().hash(),
                    modelInvariants.violatedInvariants(modelTransition.nextState())));
        }
        return following;
    }

    /** What follows on something broken tells nothing more. */
    private void keep(Next one, List<Reached> edge) {
        for (ModelInvariants.BrokenInvariant brokenInvariant : one.broken()) {
            violations.add(new ModelViolation(
                    brokenInvariant.invariant(),
                    brokenInvariant.detail(),
                    one.reached().path().moves()));
        }
        done += modelInvariants.isFinished(one.reached().world()) ? 1 : 0;
        if (one.broken().isEmpty()) {
            edge.add(one.reached());
        }
    }
}
