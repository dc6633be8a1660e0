package dev.flotilla.core.fleet.inventory;

/**
 * What was counted over the machines of a cluster.
 *
 * @param inFlight members in flight
 * @param intentsInFlight members in flight for an annotation
 * @param soakUntil until when nothing is started in the cluster, in milliseconds
 */
public record ClusterCounts(
        int inFlight,
        int intentsInFlight,
        int controlPlaneInFlight,
        int controlPlanes,
        int controlPlanesUnready,
        int workers,
        int workersUnavailable,
        int machineRows,
        long soakUntil) {
    static final ClusterCounts NONE = new ClusterCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
