package dev.flotilla.core.fleet.inventory;

/**
 * The counts over the machines of a cluster.
 *
 * @param inFlight members in flight
 * @param intentsInFlight members in flight for an intent
 * @param preparing members with a command to prepare them out
 * @param soakUntil until when the cluster soaks and starts nothing, in milliseconds
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
        int preparing,
        long soakUntil) {
    static final ClusterCounts NONE = new ClusterCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
