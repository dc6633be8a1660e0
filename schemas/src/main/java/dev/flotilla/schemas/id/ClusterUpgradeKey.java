package dev.flotilla.schemas.id;

/** The key of the row about a cluster that a campaign has opened. */
public record ClusterUpgradeKey(ClusterKey cluster) implements EntityKey {
    @Override
    public String toString() {
        return cluster.toString();
    }
}
