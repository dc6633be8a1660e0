package dev.flotilla.core.fleet;

/** Says whether the gates that stand at a level let a candidate through. */
@FunctionalInterface
public interface Judge {
    /** Where a gate stands: what is closed when it is. */
    enum Level {
        FLEET,
        SITE,
        ROLLOUT,
        /** What only the cluster's own rows can open: evaluated when the cluster was touched, and not before. */
        CLUSTER
    }

    boolean isOpen(Level level, Candidate candidate);
}
