package dev.flotilla.core.fleet.start;

/** Says whether the gates that stand at a level let a candidate through. */
@FunctionalInterface
public interface GateEvaluator {
    /** Where a gate stands: what is closed when it is. */
    enum GateLevel {
        FLEET,
        SITE,
        ROLLOUT,
        /** What only the cluster's own rows can open: evaluated when the cluster was touched, and not before. */
        CLUSTER
    }

    boolean areOpen(GateLevel level, StartCandidate candidate);
}
