package dev.flotilla.simulator.exhaustive;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explores every possible sequence of transitions of a small model, one transition deeper at a time, up to a depth. A
 * state that was reached before is not explored again; states are equal if their hashes are.
 */
public final class ExhaustiveSearch {
    /** The default depth; each level takes about three times as long as the one before. */
    public static final int DEPTH = 10;

    private static final int MAX_VIOLATIONS = 10;

    private final ModelTransitions modelTransitions;
    private final ModelInvariants modelInvariants;
    private final LongHashSet seenHashes = new LongHashSet();
    private final List<ModelViolation> violations = new ArrayList<>();
    private long done;

    private ExhaustiveSearch(ModelTransitions modelTransitions, ModelInvariants modelInvariants) {
        this.modelTransitions = modelTransitions;
        this.modelInvariants = modelInvariants;
    }

    /**
     * The result of a search.
     *
     * @param states the number of distinct states
     * @param complete whether every reachable state was explored
     * @param done the number of states in which every machine has succeeded
     */
    public record ExhaustiveSearchResult(
            long states, int depth, boolean complete, long done, List<ModelViolation> violations) {}

    /**
     * A violated invariant.
     *
     * @param path all transitions that led to it, in order
     */
    public record ModelViolation(Invariant invariant, String detail, List<String> path) {}

    /** The transitions that led to a state. */
    private record TransitionPath(@Nullable TransitionPath from, String by) {
        List<String> moves() {
            List<String> moves = new ArrayList<>();
            for (TransitionPath at = this; at.from() != null; at = at.from()) {
                moves.add(at.by());
            }
            Collections.reverse(moves);
            return moves;
        }
    }

    private record ReachedState(ModelState world, TransitionPath path) {}

    private record Successor(ReachedState reached, long hash, List<ModelInvariants.BrokenInvariant> broken) {}

    /** Called after each depth. */
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
        return search.search(ModelInitialState.world(systemUnderTest.decider().get()), depth, searchProgressListener);
    }

    private ExhaustiveSearchResult search(
            ModelState beginning, int depth, SearchProgressListener searchProgressListener) {
        List<ReachedState> edge = List.of(new ReachedState(beginning, new TransitionPath(null, "")));
        seenHashes.add(beginning.hash());
        int deep = 0;
        while (deep < depth && !edge.isEmpty() && violations.size() < MAX_VIOLATIONS) {
            edge = exploreNextDepth(edge);
            if (!edge.isEmpty()) {
                deep++;
            }
            searchProgressListener.depthReached(deep, seenHashes.size());
        }
        return new ExhaustiveSearchResult(seenHashes.size(), deep, edge.isEmpty(), done, List.copyOf(violations));
    }

    private List<ReachedState> exploreNextDepth(List<ReachedState> edge) {
        List<ReachedState> next = new ArrayList<>();
        edge.parallelStream().map(this::successorsOf).forEachOrdered(all -> {
            for (Successor successor : all) {
                if (seenHashes.add(successor.hash())) {
                    keep(successor, next);
                }
            }
        });
        return next;
    }

    private List<Successor> successorsOf(ReachedState from) {
        List<Successor> following = new ArrayList<>();
        for (ModelTransitions.ModelTransition modelTransition : modelTransitions.nextTransitions(from.world())) {
            following.add(new Successor(
                    new ReachedState(
                            modelTransition.nextState(),
                            new TransitionPath(from.path(), modelTransition.description())),
                    modelTransition.nextState().hash(),
                    modelInvariants.violatedInvariants(modelTransition.nextState())));
        }
        return following;
    }

    /** Keeps a new state for the next depth. A state with a violation is not explored further. */
    private void keep(Successor successor, List<ReachedState> edge) {
        for (ModelInvariants.BrokenInvariant brokenInvariant : successor.broken()) {
            violations.add(new ModelViolation(
                    brokenInvariant.invariant(),
                    brokenInvariant.detail(),
                    successor.reached().path().moves()));
        }
        done += modelInvariants.isFinished(successor.reached().world()) ? 1 : 0;
        if (successor.broken().isEmpty()) {
            edge.add(successor.reached());
        }
    }
}
