package dev.flotilla.core.fleet.start;

/** Evaluates the gates of a level for a candidate. */
@FunctionalInterface
public interface GateEvaluator {
    /** What a closed gate of this level closes. */
    enum GateLevel {
        FLEET,
        SITE,
        ROLLOUT,
        /** Only the cluster's own rows can open it: evaluated when the cluster has changed, and not before. */
        CLUSTER
    }

    boolean areOpen(GateLevel level, StartCandidate candidate);

    /** The gates of preparations. */
    default GateEvaluator forPreparations() {
        return this;
    }

    /** The gates of opening clusters whose machines Cluster API updates in place. */
    default GateEvaluator forClusterUpgrades() {
        return this;
    }
}
